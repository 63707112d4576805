// The webhook addresses of the PSP and its clients: which deliver, which fail and since when.

import { Text } from '@mantine/core';
import { ClientName } from '../../components/client-name.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { useFilters } from '../../data/path.ts';
import { useMay } from '../../data/session.tsx';
import { usePages } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import { AddressBadge, type Webhook } from './shown.tsx';
import { Subscribe } from './subscribe.tsx';

/** Deliveries by the words of an address's own page. */
const waiting = ({ backlog: b }: Webhook) => b.pending + b.delivering;

export default function Webhooks() {
  const [{ clientId }, setFilters] = useFilters();
  const pages = usePages('listWebhooks', {}, { every: 10_000, clientId });
  const may = useMay('subscribeToClient');
  return (
    <>
      <PageHeader
        title={say('Webhooks')}
        lead={say('Addresses that receive every change of a client, basket or transaction.')}
        actions={may ? <Subscribe /> : null}
      />
      <FilterBar>
        <ClientSelect value={clientId} onChange={(v) => setFilters({ clientId: v })} />
      </FilterBar>
      <Panel title={say('Addresses')} flush>
        <DataTable
          label={say('Webhook addresses')}
          pages={pages}
          rowKey={(w) => w.webhookId}
          rowTo={(w) => `/webhooks/${w.webhookId}`}
          empty={
            <Empty title={say('No address is subscribed')}>
              {may
                ? say('Subscribe one here, or with subscribeToClient. It must answer 200 to a POST.')
                : say('An administrator subscribes one here, or a program with subscribeToClient.')}
            </Empty>
          }
          columns={[
            {
              key: 'url',
              header: say('Address'),
              cell: (w) => (
                <span style={{ display: 'inline-block', minWidth: '12rem', overflowWrap: 'anywhere' }}>{w.url}</span>
              ),
            },
            { key: 'client', header: say('Account'), cell: (w) => <ClientName id={w.clientId} /> },
            { key: 'state', header: say('State'), cell: (w) => <AddressBadge webhook={w} /> },
            {
              key: 'ok',
              header: say('Last delivered'),
              cell: (w) => <Stamp at={w.health.lastOkAt} show="relative" />,
            },
            {
              key: 'failing',
              header: say('Failing since'),
              cell: (w) => <Stamp at={w.health.failingSince} />,
            },
            {
              key: 'waiting',
              header: say('Waiting'),
              align: 'right',
              cell: (w) => waiting(w).toLocaleString(locale),
            },
            {
              key: 'retrying',
              header: say('Being retried'),
              align: 'right',
              cell: (w) => w.backlog.retrying.toLocaleString(locale),
            },
            {
              key: 'held',
              header: say('Paused'),
              align: 'right',
              cell: (w) => w.backlog.held.toLocaleString(locale),
            },
            {
              key: 'exhausted',
              header: say('Failed'),
              align: 'right',
              cell: (w) => (
                <Text
                  inherit
                  component="span"
                  {...(w.backlog.exhausted > 0 ? { c: 'var(--mantine-color-error)', fw: 600 } : {})}
                >
                  {w.backlog.exhausted.toLocaleString(locale)}
                </Text>
              ),
            },
          ]}
        />
      </Panel>
    </>
  );
}
