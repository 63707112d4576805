// The pages of one subject as links under its heading; the row scrolls on narrow screens.
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import classes from './sub-pages.module.css';

export interface SubPage {
  readonly to: string;
  readonly title: string;
}

export function SubPages({ label, pages }: { readonly label: string; readonly pages: readonly SubPage[] }) {
  const row = useRef<HTMLElement>(null);
  // On a narrow screen the page that is shown may be beyond the edge of the row.
  useEffect(() => {
    const nav = row.current;
    const active = nav?.querySelector<HTMLElement>('[data-status="active"]');
    // Not scrollIntoView: the Tab key would go on from there, behind the link that skips to the page.
    if (nav && active) nav.scrollLeft = active.offsetLeft - nav.offsetLeft - (nav.clientWidth - active.clientWidth) / 2;
  }, []);
  return (
    <nav aria-label={label} className={classes.row} ref={row}>
      {pages.map((p) => (
        <Link key={p.to} to={p.to} className={classes.item} activeOptions={{ exact: true, includeSearch: false }}>
          {p.title}
        </Link>
      ))}
    </nav>
  );
}
