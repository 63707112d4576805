// The deliveries of an event: to which address, and what became of each.

import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Id } from '../../components/id.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { say } from '../../words/words.ts';
import { DeliveryBadge } from '../webhooks/shown.tsx';
import { useWebhookUrls } from './webhook-urls.ts';

type Delivery = Content<'getEvent'>['deliveries'][number];

export function DeliveryTable({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const urlOf = useWebhookUrls();
  return (
    <DataTable<Delivery>
      label={say('Deliveries')}
      pages={{ rows: deliveries }}
      rowKey={(d) => d.deliveryId}
      rowTo={(d) => `/webhooks/${d.webhookId}/deliveries/${d.deliveryId}`}
      empty={
        <Empty title={say('Sent to nobody')}>
          {say('No address that you may see was subscribed to this kind of event.')}
        </Empty>
      }
      columns={[
        {
          key: 'to',
          header: say('Address'),
          cell: (d) => urlOf(d.webhookId) ?? <Id value={d.webhookId} copy={false} />,
        },
        { key: 'state', header: say('State'), cell: (d) => <DeliveryBadge state={d.state} /> },
        { key: 'attempts', header: say('Attempts'), align: 'right', cell: (d) => String(d.attemptCount) },
        { key: 'answer', header: say('Last answer'), cell: (d) => answerOf(d) },
        { key: 'at', header: say('Finished'), cell: (d) => <Stamp at={d.finishedAt} /> },
      ]}
    />
  );
}

const answerOf = (d: Delivery): string =>
  d.lastStatus !== null
    ? say('HTTP {lastStatus}', { lastStatus: d.lastStatus })
    : d.lastReason !== null
      ? inWords(d.lastReason).toLowerCase()
      : say('none yet');
