// The items of a basket as submitted, each with its tax.

import { Text } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Money } from '../../components/money.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { say } from '../../words/words.ts';

/** An item as submitBasket takes it; amounts are exact text here. */
interface Item {
  readonly sku: string;
  readonly title: string;
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
  readonly subTotal?: string;
  readonly vatExempt?: boolean;
}

export function Items({ basket: b }: { readonly basket: Content<'getBasket'> }) {
  const { items } = b.originalBasketData as unknown as { items: readonly Item[] };
  const rows = items.map((item, i) => ({ ...item, line: String(i + 1), vat: b.lineVat[i] }));
  return (
    <DataTable
      label={say('Items')}
      pages={{ rows }}
      rowKey={(r) => r.line}
      columns={[
        {
          key: 'title',
          header: say('Item'),
          cell: (r) => (
            <>
              <Text size="sm" fw={600}>
                {r.title}
              </Text>
              <Text size="xs" c="dimmed">
                {r.sku}
                {r.description ? ` · ${r.description}` : ''}
              </Text>
            </>
          ),
        },
        { key: 'quantity', header: say('Quantity'), align: 'right', cell: (r) => r.quantity },
        {
          key: 'price',
          header: say('Price'),
          align: 'right',
          cell: (r) => <Money amount={r.price} currency={b.currency} />,
        },
        ...(rows.some((r) => r.subTotal !== undefined)
          ? [
              {
                key: 'subTotal',
                header: say('Line total'),
                align: 'right' as const,
                cell: (r: Item) => <Money amount={r.subTotal} currency={b.currency} />,
              },
            ]
          : []),
        {
          key: 'vat',
          header: say('Tax'),
          align: 'right',
          cell: (r) => (r.vatExempt ? <StatusBadge status="EXEMPT" /> : <Money amount={r.vat} currency={b.currency} />),
        },
      ]}
    />
  );
}
