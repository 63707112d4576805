// An amount, shown from its exact text: grouped, padded to its currency's decimals, never rounded.
import { Text } from '@mantine/core';
import { groupDigits } from '../data/amounts.ts';
import { Nothing } from './nothing.tsx';
import type { Column } from './plain-table.tsx';
import classes from './text.module.css';

interface Props {
  /** Decimal text from the API; null or undefined shows a dash. */
  readonly amount: string | number | null | undefined;
  readonly currency?: string | null | undefined;
  /** Shows the currency beside the amount; if false it only sets the number of decimals. */
  readonly unit?: boolean;
  readonly strong?: boolean;
  readonly size?: string;
}

export function Money({ amount, currency, unit = true, strong = false, size = 'inherit' }: Props) {
  if (amount === null || amount === undefined) return <Nothing />;
  return (
    <Text
      component="span"
      inherit={size === 'inherit'}
      {...(size === 'inherit' ? {} : { size })}
      className={classes.figures}
      fw={strong ? 600 : undefined}
    >
      {groupDigits(String(amount), currency ?? undefined)}
      {currency && unit ? <span className={classes.unit}> {currency}</span> : null}
    </Text>
  );
}

/** The column of an amount in rows that name its currency. */
export const moneyColumn = <F extends string>(
  field: F,
  header: string,
  { key = field, strong = false }: { readonly key?: string; readonly strong?: boolean } = {},
): Column<{ readonly [field in F]?: Props['amount'] } & { readonly currency?: Props['currency'] }> => ({
  ...{ key, header, align: 'right' },
  cell: (row) => <Money amount={row[field]} currency={row.currency} strong={strong} />,
});
