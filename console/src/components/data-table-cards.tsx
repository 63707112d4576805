// The narrow form of a list: one card per record, with its first column as the heading.
import { Link } from '@tanstack/react-router';
import classes from './data-table.module.css';
import type { DataTableProps } from './plain-table.tsx';

export function Cards<R>(p: DataTableProps<R> & { readonly rows: readonly R[] }) {
  const [head, ...rest] = p.columns;
  return (
    <ul className={classes.cards} aria-label={p.label}>
      {p.rows.map((row) => {
        const to = p.rowTo?.(row);
        return (
          <li key={p.rowKey(row)} className={to ? classes.leads : undefined}>
            <div className={classes.cardHead}>
              {to ? (
                <Link to={to} className={classes.link}>
                  {head?.cell(row)}
                </Link>
              ) : (
                head?.cell(row)
              )}
            </div>
            <dl>
              {rest
                .filter((c) => !c.wideOnly)
                .map((c) => (
                  <div key={c.key}>
                    <dt>{c.header}</dt>
                    <dd>{c.cell(row)}</dd>
                  </div>
                ))}
            </dl>
          </li>
        );
      })}
    </ul>
  );
}
