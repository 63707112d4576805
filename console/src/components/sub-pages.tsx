// The pages of one subject as links under its heading; the row scrolls on narrow screens.
import { Link } from '@tanstack/react-router';
import classes from './sub-pages.module.css';

export interface SubPage {
  readonly to: string;
  readonly title: string;
}

export function SubPages({ label, pages }: { readonly label: string; readonly pages: readonly SubPage[] }) {
  return (
    <nav aria-label={label} className={classes.row}>
      {pages.map((p) => (
        <Link key={p.to} to={p.to} className={classes.item} activeOptions={{ exact: true, includeSearch: false }}>
          {p.title}
        </Link>
      ))}
    </nav>
  );
}
