// Links between the two gaming lists: wagers and payouts.

import { Link } from '@tanstack/react-router';
import { say } from '../../words/words.ts';
import classes from './lines.module.css';

export function Lines() {
  return (
    <nav aria-label={say('Gaming')} className={classes.lines}>
      <Link to="/gaming" activeOptions={{ exact: true, includeSearch: false }}>
        {say('Wagers')}
      </Link>
      <Link to="/gaming/payouts" activeOptions={{ includeSearch: false }}>
        {say('Payouts')}
      </Link>
    </nav>
  );
}
