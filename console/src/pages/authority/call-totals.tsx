// Taxes on calls that an authority is responsible for, by operator and month; each leads to its calls.

import { SimpleGrid } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { useFilters } from '../../data/path.ts';
import { useMe } from '../../data/session.tsx';
import { taxCoded, taxNamed } from '../../data/tax-names.ts';
import { useOp } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import { viewInWords } from './pages.ts';

const isMonth = (text: string | undefined) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '');

export default function AuthorityCallTotals() {
  const [filters] = useFilters();
  const { view } = useMe().account;
  const { taxCode } = filters;
  const asked = { taxCode, ...(isMonth(filters.period) ? { period: filters.period } : {}) };
  const { data, error, isPending, refetch } = useOp('listAuthorityCallTotals', asked);
  return (
    <>
      <PageHeader title={say('Call records')} lead={view ? viewInWords(view) : null} />
      <Panel title={say('Taxes on calls')} flush>
        <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="sm" px="md" pb="sm">
          <TextFilter of="period" label={say('Month')} placeholder="2026-11" />
          <TextFilter of="taxCode" read={taxCoded} label={say('Tax')} placeholder={taxNamed('VAT')} />
        </SimpleGrid>
        <DataTable
          label={say('Taxes on calls')}
          pages={{
            rows: data?.items,
            ...(error ? { error } : {}),
            loading: isPending && !error,
            retry: () => void refetch(),
            source: { operation: 'listAuthorityCallTotals', input: asked, called: {} },
          }}
          rowKey={(t) => `${t.clientId} ${t.period} ${t.taxCode} ${t.currency} ${t.method}`}
          rowTo={({ pspId, clientId, period, taxCode }) =>
            `/authority/calls/list?${new URLSearchParams({ pspId, clientId, period, taxCode })}`
          }
          empty={
            <Empty title={say('No taxes on calls in these months')}>
              {say('Calls are counted by month. A month is listed if it lies within your days as a whole.')}
            </Empty>
          }
          columns={[
            { key: 'client', header: say('Operator'), cell: (t) => t.clientName },
            { key: 'psp', header: 'PSP', cell: (t) => t.pspName, wideOnly: true },
            { key: 'month', header: say('Month'), cell: (t) => t.period },
            { key: 'tax', header: say('Tax'), cell: (t) => taxNamed(t.taxCode) },
            { key: 'how', header: say('How it is due'), cell: (t) => inWords(t.method) },
            { key: 'calls', header: say('Calls'), align: 'right', cell: (t) => t.calls.toLocaleString(locale) },
            { key: 'zero', header: say('At zero'), align: 'right', cell: (t) => t.zero.toLocaleString(locale) },
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
