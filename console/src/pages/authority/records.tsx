// The records that an authority sees, over all PSPs.

import { Box, Select, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { DayFilters } from '../../components/day-filters.tsx';
import { Empty } from '../../components/empty.tsx';
import { Money } from '../../components/money.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { inCapitals, TextFilter } from '../../components/text-filter.tsx';
import type { Content } from '../../data/assay.ts';
import { dayInWords } from '../../data/moments.ts';
import { useFilters } from '../../data/path.ts';
import { useMe } from '../../data/session.tsx';
import { taxCoded, taxNamed } from '../../data/tax-names.ts';
import { baseWords, debtorWords } from '../../data/tax-words.ts';
import { useOp, usePages } from '../../data/use-op.ts';
import { between, say } from '../../words/words.ts';
import { daysOf, kindWords, listedKinds, viewInWords } from './pages.ts';

type Seen = Content<'listAuthorityRecords'>['items'][number];

export default function AuthorityRecords() {
  const [filters, set] = useFilters();
  const { view } = useMe().account;
  const psps = useOp('listAuthorityPsps').data?.items ?? [];
  const type = listedKinds.find((k) => k.value === filters.type)?.value;
  const { pspId, ref, taxCode, currency } = filters;
  const pages = usePages('listAuthorityRecords', {
    ...{ type, pspId, ref, taxCode, currency },
    ...daysOf(filters),
  });
  const kinds = listedKinds.filter((k) => view?.recordKinds.includes(k.value));
  return (
    <>
      <PageHeader title={say('Records')} lead={view ? viewInWords(view) : null} />
      <Panel title={say('What you see')} flush>
        <Box component="search" px="md" pb="sm" aria-label={say('Records')}>
          <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
            <Select
              label={say('Kind')}
              placeholder={say('Any')}
              clearable
              clearButtonProps={{ 'aria-label': say('Any kind') }}
              data={kinds}
              value={type ?? null}
              onChange={(v) => set({ type: v ?? undefined })}
            />
            <Select
              label="PSP"
              placeholder={say('Any')}
              searchable
              clearable
              clearButtonProps={{ 'aria-label': say('Any PSP') }}
              data={psps.map((p) => ({ value: p.pspId, label: p.name }))}
              value={pspId ?? null}
              onChange={(v) => set({ pspId: v ?? undefined })}
            />
            <TextFilter of="taxCode" read={taxCoded} label={say('Tax')} placeholder={taxNamed('VAT')} />
            <TextFilter of="ref" label={say('Ref')} />
            <TextFilter of="currency" read={inCapitals} label={say('Currency')} placeholder="NGN" />
            <DayFilters filters={filters} set={set} ofTax />
          </SimpleGrid>
        </Box>
        <DataTable
          label={say('Records')}
          pages={pages}
          rowKey={(r) => r.recordId}
          rowTo={(r) => `/authority/records/${r.recordId}`}
          empty={
            <Empty title={say('No such record')}>
              {say('None of the records that you may see is as these filters ask.')}
            </Empty>
          }
          columns={[
            { key: 'ref', header: say('Ref'), cell: (r) => r.ref ?? <Nothing /> },
            { key: 'kind', header: say('Kind'), cell: (r) => kindWords[r.type] },
            { key: 'status', header: say('Status'), cell: (r) => <Status record={r} /> },
            {
              key: 'amount',
              header: say('Amount'),
              align: 'right',
              cell: (r) => <Money amount={r.amount} currency={r.currency} />,
            },
            { key: 'taxes', header: say('Taxes'), cell: (r) => <Taxes record={r} /> },
            { key: 'day', header: say('Tax date'), cell: (r) => dayInWords(r.day) },
            { key: 'client', header: say('Account'), cell: (r) => r.clientName },
            { key: 'psp', header: 'PSP', cell: (r) => r.pspName, wideOnly: true },
          ]}
        />
      </Panel>
    </>
  );
}

export const Status = ({ record: r }: { readonly record: Seen }) => (
  <StatusBadge
    status={r.status}
    tone={r.status === 'DECLINED' ? 'bad' : r.chargedBack ? 'wait' : 'quiet'}
    {...(r.chargedBack ? { label: say('Charged back') } : {})}
  />
);

function Taxes({ record: { status, taxes, currency } }: { readonly record: Seen }) {
  if (taxes.length === 0) return <Nothing />;
  if (status === 'DECLINED')
    return (
      <Text span size="sm" c="dimmed">
        {say('none: declined')}
      </Text>
    );
  return taxes.map((t) => (
    <div key={t.rule}>
      <TaxNamed tax={t}>
        <Money amount={t.tax} currency={currency} unit={false} />
      </TaxNamed>
    </div>
  ));
}

/** A tax, and what it is on: a sale may bear one on its amount and the same on its fees. */
export function TaxNamed({ tax: t, children }: { readonly tax: Seen['taxes'][number]; readonly children?: ReactNode }) {
  const on = t.base && say('on {base}', { base: (baseWords[t.base] ?? inWords(t.base)).toLowerCase() });
  const owed = t.owedBy && say('owed by {debtor} by a return', { debtor: debtorWords[t.owedBy] });
  return (
    <>
      {taxNamed(t.taxCode ?? t.rule)} {children}
      <Text size="xs" c="dimmed">
        {[on, owed].filter(Boolean).join(between)}
      </Text>
    </>
  );
}
