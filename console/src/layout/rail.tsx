// The navigation links, in the rail on wide screens and the drawer on narrow ones.

import { Link, useRouterState } from '@tanstack/react-router';
import { useMe } from '../data/session.tsx';
import { say } from '../words/words.ts';
import classes from './frame.module.css';
import { Mark } from './mark.tsx';
import { navigationOf } from './navigation.ts';

export function Rail() {
  const groups = navigationOf(useMe().account);
  const here = useRouterState({ select: (s) => s.location.pathname });
  /** Whether a page of another entry, below this one, is open. */
  const isElsewhere = (to: string) =>
    groups.some((g) => g.rows.some((r) => r.to.startsWith(`${to}/`) && here.startsWith(r.to)));
  return (
    <div className={classes.nav}>
      <Link to="/" className={classes.brand} aria-label={say('Assay, to the overview')}>
        <Mark size={26} />
        {say('Assay')}
      </Link>
      <nav aria-label={say('Pages')}>
        {groups.map((g) => (
          <div key={g.name}>
            <div className={classes.group} id={`nav-${g.name}`}>
              {g.name}
            </div>
            <ul aria-labelledby={`nav-${g.name}`}>
              {g.rows.map((r) => (
                <li key={r.to}>
                  <Link
                    to={r.to}
                    className={classes.item}
                    activeOptions={{ exact: r.to === '/' || isElsewhere(r.to), includeSearch: false }}
                  >
                    <r.icon size={18} stroke={1.7} aria-hidden />
                    {r.title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </div>
  );
}
