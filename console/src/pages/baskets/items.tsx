// The items of a basket as submitted, each with its tax.

import { Text } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Money } from '../../components/money.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { goodsWords } from '../../data/tax-words.ts';
import { between, say } from '../../words/words.ts';

/** An item as submitBasket echoes it; amounts are exact text here. */
interface Item {
  readonly sku: string;
  readonly title: string;
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
  readonly subtotal?: string;
  readonly vatExempt?: boolean;
  readonly category?: keyof typeof goodsWords;
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
                {r.description ? `${between}${r.description}` : ''}
              </Text>
            </>
          ),
        },
        ...(rows.some((r) => r.category !== undefined)
          ? [
              {
                key: 'category',
                header: say('What it is'),
                cell: (r: Item) => (r.category ? goodsWords[r.category] : say('As the merchant mostly sells')),
              },
            ]
          : []),
        { key: 'quantity', header: say('Quantity'), align: 'right', cell: (r) => r.quantity },
        {
          key: 'price',
          header: say('Price'),
          align: 'right',
          cell: (r) => <Money amount={r.price} currency={b.currency} />,
        },
        ...(rows.some((r) => r.subtotal !== undefined)
          ? [
              {
                key: 'subtotal',
                header: say('Line total'),
                align: 'right' as const,
                cell: (r: Item) => <Money amount={r.subtotal} currency={b.currency} />,
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
