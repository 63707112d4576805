// Links between the two gaming lists: wagers and payouts.
import { Link } from '@tanstack/react-router';
import classes from './lines.module.css';

export function Lines() {
  return (
    <nav aria-label="Gaming" className={classes.lines}>
      <Link to="/gaming" activeOptions={{ exact: true, includeSearch: false }}>
        Wagers
      </Link>
      <Link to="/gaming/payouts" activeOptions={{ includeSearch: false }}>
        Payouts
      </Link>
    </nav>
  );
}
