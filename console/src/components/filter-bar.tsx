// The filters above a list: side by side on wide screens, stacked on narrow ones; and the choices among them.
import { Select, type SelectProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { say } from '../words/words.ts';
import classes from './filter-bar.module.css';

export function FilterBar({ children }: { readonly children: ReactNode }) {
  return <search className={classes.bar}>{children}</search>;
}

export interface Choice extends Omit<SelectProps, 'value' | 'onChange' | 'clearable' | 'clearButtonProps'> {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  /** Name of the button that clears it, such as "Any status". */
  readonly any: string;
}

/** A choice that may be left open. */
export const ChoiceFilter = ({ value, onChange, any, ...rest }: Choice) => (
  <Select
    placeholder={say('Any')}
    clearable
    clearButtonProps={{ 'aria-label': any }}
    value={value ?? null}
    onChange={(v) => onChange(v ?? undefined)}
    {...rest}
  />
);
