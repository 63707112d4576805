// The navigation links, in the rail on wide screens and the drawer on narrow ones.

import { Link, useLocation } from '@tanstack/react-router';
import { useMe } from '../data/session.tsx';
import { say } from '../words/words.ts';
import classes from './frame.module.css';
import { Mark } from './mark.tsx';
import { navigationOf } from './navigation.ts';

export function Rail() {
  const { account } = useMe();
  const { pathname } = useLocation();
  const groups = navigationOf(account);
  const here = rowOf(
    groups.flatMap((g) => g.rows.map((r) => r.to)),
    pathname,
  );
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
                    activeOptions={{ exact: r.to !== here, includeSearch: false }}
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

/** The row that a page belongs to: of those above it, the nearest. /authority/totals is not of /authority, which has a row too. */
function rowOf(rows: readonly string[], pathname: string): string | undefined {
  return rows
    .filter((to) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`)))
    .sort((a, b) => b.length - a.length)[0];
}
