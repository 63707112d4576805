// Taxes that an authority is responsible for, added up by account, tax, currency and verdict.

import { Anchor, SimpleGrid, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { DataTable } from '../../components/data-table.tsx';
import { DayFilters } from '../../components/day-filters.tsx';
import { Empty } from '../../components/empty.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { useFilters } from '../../data/path.ts';
import { useMe } from '../../data/session.tsx';
import { taxNamed } from '../../data/tax-names.ts';
import { useOp } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { daysOf, viewInWords } from './pages.ts';

export default function AuthorityTotals() {
  const [filters, set] = useFilters();
  const { view } = useMe().account;
  const asked = daysOf(filters);
  const { data, error, isPending, refetch } = useOp('listAuthorityTotals', asked);
  return (
    <>
      <PageHeader title={say('Totals')} lead={view ? viewInWords(view) : null} />
      <Panel title={say('Taxes')} flush>
        <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="sm" px="md" pb="sm">
          <DayFilters filters={filters} set={set} ofTax />
        </SimpleGrid>
        <Text size="sm" c="dimmed" px="md" pb="sm">
          {rich(
            'Duties that others than the account owe or pay are included, such as stamp duty of the payer’s bank. The page {records} says by whom each is owed.',
            {
              records: (
                <Anchor component={Link} to="/authority" inherit underline="always">
                  {say('Records')}
                </Anchor>
              ),
            },
          )}
        </Text>
        <DataTable
          label={say('Totals')}
          pages={{
            rows: data?.items,
            ...(error ? { error } : {}),
            loading: isPending && !error,
            retry: () => void refetch(),
            source: { operation: 'listAuthorityTotals', input: asked, called: {} },
          }}
          rowKey={(t) => `${t.clientId} ${t.taxCode} ${t.currency} ${t.verdict}`}
          empty={<Empty title={say('No taxes in these days')}>{say('Choose other days, or leave them open.')}</Empty>}
          columns={[
            { key: 'client', header: say('Account'), cell: (t) => t.clientName },
            { key: 'psp', header: 'PSP', cell: (t) => t.pspName, wideOnly: true },
            { key: 'tax', header: say('Tax'), cell: (t) => taxNamed(t.taxCode) },
            { key: 'verdict', header: say('Status'), cell: (t) => inWords(t.verdict) },
            { key: 'count', header: say('Times applied'), align: 'right', cell: (t) => t.count.toLocaleString(locale) },
            {
              key: 'taxable',
              header: say('Taxable'),
              align: 'right',
              cell: (t) => <Money amount={t.taxable} currency={t.currency} />,
            },
            {
              key: 'due',
              header: say('Tax amount'),
              align: 'right',
              cell: (t) => <Money amount={t.tax} currency={t.currency} />,
            },
          ]}
        />
      </Panel>
    </>
  );
}
