// The page of months of call records, on which an open month can be closed.

import { ClientName } from '../../components/client-name.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { SubPages } from '../../components/sub-pages.tsx';
import type { Content } from '../../data/assay.ts';
import { countryName } from '../../data/countries.ts';
import { isIdOf } from '../../data/id-kind.ts';
import { day } from '../../data/now.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import { cdrPages } from './parts.ts';

type Period = Content<'listCdrPeriods'>['items'][number];

export default function Periods() {
  const { data, error, refetch, isPending } = useOp('listCdrPeriods', {}, { every: 10_000 });
  const may = useMay('closeCdrPeriod');
  return (
    <>
      <PageHeader
        title={say('Months')}
        above={[{ title: say('Call records'), to: '/cdr' }]}
        lead={say(
          'A month that is closed stays as it is: records that come afterwards count in the next open one, as late adjustments.',
        )}
      />
      <SubPages label={say('Pages of call records')} pages={cdrPages} />
      <Panel title={say('Months of call records')} flush>
        <DataTable
          label={say('Months of call records')}
          pages={{ rows: data?.items, error, loading: isPending, retry: () => void refetch() }}
          rowKey={(p) => `${p.clientId} ${p.period}`}
          rowTo={(p) => `/cdr/analysis?period=${p.period}`}
          empty={<Empty title={say('No month yet')}>{say('One appears with its first record.')}</Empty>}
          columns={[
            { key: 'period', header: say('Month'), cell: (p) => p.period },
            { key: 'client', header: say('Account'), cell: (p) => <ClientName id={p.clientId} /> },
            { key: 'country', header: say('Country'), cell: (p) => countryName(p.country) },
            {
              key: 'state',
              header: say('State'),
              cell: (p) => <StatusBadge status={p.state} tone={p.state === 'CLOSED' ? 'quiet' : 'note'} />,
            },
            { key: 'records', header: say('Records'), align: 'right', cell: (p) => p.records.toLocaleString(locale) },
            { key: 'late', header: say('Of these late'), align: 'right', cell: (p) => p.late.toLocaleString(locale) },
            { key: 'closed', header: say('Closed'), cell: (p) => <Stamp at={p.closedAt} /> },
            ...(may ? [{ key: 'close', header: say('Close'), cell: (p: Period) => <Close period={p} /> }] : []),
          ]}
        />
      </Panel>
    </>
  );
}

function Close({ period: p }: { readonly period: Period }) {
  const close = useDo('closeCdrPeriod', {
    done: say('{period} is closed', { period: p.period }),
    clientId: isIdOf('client', p.clientId) ? p.clientId : undefined,
  });
  if (p.state !== 'OPEN') return <>{say('done')}</>;
  if (p.period >= day().slice(0, 7)) return <>{say('once it has ended')}</>;
  return (
    <span style={{ position: 'relative', zIndex: 1 }}>
      <ConfirmButton
        label={say('Close')}
        size="xs"
        question={say('Close {period}?', { period: p.period })}
        onConfirm={() => close.mutateAsync({ period: p.period })}
      >
        {say('It stays closed. Records of it that come later count in the next open month.')}
      </ConfirmButton>
    </span>
  );
}
