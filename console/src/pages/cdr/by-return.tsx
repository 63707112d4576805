// What an operator owes on calls by a return of the period: an amount for each currency.
import { Stack } from '@mantine/core';
import { Money } from '../../components/money.tsx';
import { Nothing } from '../../components/nothing.tsx';

interface Props {
  readonly of: readonly { readonly currency: string; readonly tax: string | number }[];
}

export function ByReturn({ of }: Props) {
  return of.length === 0 ? (
    <Nothing />
  ) : (
    <Stack gap={0} component="span">
      {of.map((t) => (
        <Money key={t.currency} amount={t.tax} currency={t.currency} />
      ))}
    </Stack>
  );
}
