// Chargeback amounts still to be subtracted: their age by party, and an action to net each.

import { Box, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { ClientName } from '../../components/client-name.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { SubPages } from '../../components/sub-pages.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { readCode } from '../../data/amounts.ts';
import type { Content } from '../../data/assay.ts';
import { useFilters } from '../../data/path.ts';
import { useMay } from '../../data/session.tsx';
import { sumOf } from '../../data/sums.ts';
import { useOp, usePages } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import { Net } from './net.tsx';
import { accountName, partNames, parts, settlementPages } from './parts.ts';

export type Outstanding = Content<'listOutstandingChargebacks'>['items'][number];
type PartyAges = Content<'listOutstandingChargebacks'>['parties'][number];

export default function OutstandingPage() {
  const [filters, setFilters] = useFilters();
  const { clientId, currency } = filters;
  const asked = { ...(clientId ? { clientId } : {}), ...(currency ? { currency } : {}) };
  const pages = usePages('listOutstandingChargebacks', asked);
  const first = useOp('listOutstandingChargebacks', { ...asked, limit: 1 });
  const may = useMay('netChargeback');
  // Kept here because rows unmount as the page or its width changes.
  const [netted, setNetted] = useState<Outstanding>();
  return (
    <>
      <PageHeader
        title={say('Outstanding chargebacks')}
        above={[{ title: say('Settlement'), to: '/settlement' }]}
        lead={say('What chargebacks have each party give back, until it is subtracted from a later settlement.')}
      />
      <SubPages label={say('Pages of settlement')} pages={settlementPages} />
      <FilterBar>
        <ClientSelect value={clientId} onChange={(v) => setFilters({ clientId: v })} />
        <TextFilter
          of="currency"
          label={say('Currency')}
          placeholder={say('Any')}
          read={readCode}
          wrong={say('A code, such as NGN')}
        />
      </FilterBar>
      <Stack>
        <Ageing
          parties={first.data?.parties}
          error={first.error}
          loading={first.isPending}
          retry={() => void first.refetch()}
        />
        <Panel title={say('Chargebacks, oldest first')} flush>
          <DataTable
            label={say('Outstanding chargebacks')}
            pages={pages}
            rowKey={(o) => o.chargebackId}
            rowTo={(o) => `/transactions/${o.transactionId}`}
            empty={<Empty title={say('Nothing is outstanding')}>{say('Every chargeback has been subtracted.')}</Empty>}
            columns={[
              { key: 'ref', header: say('Transaction'), cell: (o) => o.ref },
              { key: 'client', header: say('Account'), cell: (o) => <ClientName id={o.clientId} /> },
              { key: 'at', header: say('Charged back'), cell: (o) => <Stamp at={o.chargedBackAt} /> },
              {
                key: 'age',
                header: say('Days'),
                align: 'right',
                cell: (o) => o.ageDays.toLocaleString(locale),
              },
              ...parts
                .filter((p) => p === 'merchantAmount' || p === 'vatAmount')
                .map((p) => ({
                  key: p,
                  header: partNames[p],
                  align: 'right' as const,
                  cell: (o: Outstanding) => (
                    <Money amount={o.outstanding[p] ?? '0'} currency={o.currency} unit={false} />
                  ),
                })),
              {
                key: 'all',
                header: say('Total'),
                align: 'right',
                cell: (o) => <Money amount={sumOf(Object.values(o.outstanding))} currency={o.currency} strong />,
              },
              ...(may
                ? [
                    {
                      key: 'net',
                      header: '',
                      align: 'right' as const,
                      cell: (o: Outstanding) => <NetButton onClick={() => setNetted(o)} />,
                    },
                  ]
                : []),
            ]}
          />
        </Panel>
      </Stack>
      {netted && <Net key={netted.chargebackId} chargeback={netted} onClose={() => setNetted(undefined)} />}
    </>
  );
}

/** Placed above the row's link. */
const NetButton = ({ onClick }: { readonly onClick: () => void }) => (
  <Box component="span" pos="relative" style={{ zIndex: 1 }}>
    <Button size="xs" variant="default" onClick={onClick}>
      {say('Net')}
    </Button>
  </Box>
);

const agesInWords: Readonly<Record<string, string>> = {
  days0to30: say('Up to 30'),
  days31to60: say('31 to 60'),
  days61to90: say('61 to 90'),
  over90: say('Over 90'),
};

interface AgeingProps {
  readonly parties: readonly PartyAges[] | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  readonly retry: () => void;
}

function Ageing({ parties, error, loading, retry }: AgeingProps) {
  const ages = Object.keys(parties?.[0]?.byAge ?? {});
  return (
    <Panel title={say('By party and age in days')} flush>
      <DataTable
        label={say('Outstanding by party and age in days')}
        pages={{ rows: parties, error, loading, retry }}
        rowKey={(p) => `${p.currency} ${p.party}`}
        empty={<Empty title={say('Nobody has anything to give back')} />}
        columns={[
          { key: 'party', header: say('Party'), cell: (p) => accountName(p.party) },
          ...ages.map((a) => ({
            key: a,
            header: agesInWords[a] ?? a,
            align: 'right' as const,
            cell: (p: PartyAges) => <Money amount={p.byAge[a]} currency={p.currency} unit={false} />,
          })),
          {
            key: 'all',
            header: say('Total'),
            align: 'right' as const,
            cell: (p: PartyAges) => <Money amount={p.outstanding} currency={p.currency} strong />,
          },
        ]}
      />
    </Panel>
  );
}
