// The webhook addresses of the PSP and its clients: which deliver, which fail and since when.
import { Text } from '@mantine/core';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { useMay } from '../../data/session.tsx';
import { usePages } from '../../data/use-op.ts';
import { AddressBadge, type Webhook } from './shown.tsx';
import { Subscribe } from './subscribe.tsx';

const waiting = ({ backlog: b }: Webhook) => b.pending + b.delivering + b.retrying + b.held;

export default function Webhooks() {
  const pages = usePages('listWebhooks', {}, { every: 10_000 });
  const may = useMay('administrator');
  return (
    <>
      <PageHeader
        title="Webhooks"
        lead="Addresses that receive every change of a client, basket or transaction."
        actions={may ? <Subscribe /> : null}
      />
      <Panel title="Addresses" flush>
        <DataTable
          label="Webhook addresses"
          pages={pages}
          rowKey={(w) => w.webhookId}
          rowTo={(w) => `/webhooks/${w.webhookId}`}
          empty={
            <Empty title="No address is subscribed">
              Subscribe one here, or with subscribeToClient. It must answer 200 to a POST.
            </Empty>
          }
          columns={[
            {
              key: 'url',
              header: 'Address',
              cell: (w) => (
                <span style={{ display: 'inline-block', minWidth: '12rem', overflowWrap: 'anywhere' }}>{w.url}</span>
              ),
            },
            { key: 'client', header: 'Account', cell: (w) => <ClientName id={w.clientId} /> },
            { key: 'state', header: 'State', cell: (w) => <AddressBadge webhook={w} /> },
            {
              key: 'ok',
              header: 'Last delivered',
              cell: (w) => <Stamp at={w.health.lastOkAt} show="relative" />,
            },
            {
              key: 'failing',
              header: 'Failing since',
              cell: (w) => <Stamp at={w.health.failingSince} />,
            },
            {
              key: 'waiting',
              header: 'Waiting',
              align: 'right',
              cell: (w) => waiting(w).toLocaleString('en'),
            },
            {
              key: 'exhausted',
              header: 'Failed',
              align: 'right',
              cell: (w) => (
                <Text
                  inherit
                  component="span"
                  {...(w.backlog.exhausted > 0 ? { c: 'var(--mantine-color-error)', fw: 600 } : {})}
                >
                  {w.backlog.exhausted.toLocaleString('en')}
                </Text>
              ),
            },
          ]}
        />
      </Panel>
    </>
  );
}
