// The filters above a list: side by side on wide screens, stacked on narrow ones.
import type { ReactNode } from 'react';
import classes from './filter-bar.module.css';

export function FilterBar({ children }: { readonly children: ReactNode }) {
  return <search className={classes.bar}>{children}</search>;
}
