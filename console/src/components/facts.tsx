// The fields of one record as terms and values; two columns on wide screens.
import type { ReactNode } from 'react';
import classes from './facts.module.css';
import { Nothing } from './nothing.tsx';

export type Fact = readonly [term: string, value: ReactNode] | false | null | undefined;

/** False or absent facts are left out, so that a page may write `has && ['Term', …]`. */
export function Facts({ items, columns = 1 }: { readonly items: readonly Fact[]; readonly columns?: 1 | 2 }) {
  return (
    <div className={classes.room}>
      <dl className={classes.facts} data-columns={columns}>
        {items
          .filter((f) => !!f)
          .map(([term, value]) => (
            <div key={term} className={classes.fact}>
              <dt>{term}</dt>
              <dd>{value === null || value === undefined || value === '' ? <Nothing /> : value}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
