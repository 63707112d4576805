// One delivery: its attempts and their results, the exact bytes sent, and a retry button.

import { Button, Code, Stack } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { usePath } from '../../data/path.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import { DeliveryBadge, NextAttempt, reasonInWords } from './shown.tsx';

type DeliveryDetail = Content<'getDelivery'>;

const underWay = (d: DeliveryDetail): boolean => ['pending', 'delivering', 'retrying'].includes(d.state);

export default function DeliveryPage() {
  const webhookId = usePath('webhookId');
  const deliveryId = usePath('deliveryId');
  const asked = { webhookId, deliveryId };
  const { data, error, refetch } = useOp('getDelivery', asked, { every: 2_000, until: (d) => !underWay(d) });
  const webhook = useOp('getWebhook', { webhookId });
  const retry = useDo('retryDelivery', { done: say('It is sent again') });
  const may = useMay('retryDelivery');
  const above = [
    { title: say('Webhooks'), to: '/webhooks' },
    { title: webhook.data?.url ?? say('Address'), to: `/webhooks/${webhookId}` },
  ];
  if (!data) return <Unfetched title={say('Delivery')} above={above} error={error} refetch={refetch} />;
  return (
    <>
      <PageHeader
        title={data.type}
        above={above}
        beside={<DeliveryBadge state={data.state} />}
        actions={
          may && !['pending', 'delivering', 'held'].includes(data.state) ? (
            <Button onClick={() => retry.mutate(asked)} loading={retry.isPending}>
              {say('Send again')}
            </Button>
          ) : null
        }
      />
      <Stack>
        <Panel title={say('Delivery')}>
          <Facts
            columns={2}
            items={[
              [say('Delivery'), <Id key="d" value={data.deliveryId} what={say('delivery id')} full />],
              [say('Event'), <Id key="e" value={data.eventId} what={say('event id')} full />],
              [say('Created'), <Stamp key="c" at={data.createdAt} show="both" />],
              data.finishedAt !== null && [say('Finished'), <Stamp key="f" at={data.finishedAt} show="both" />],
              data.nextAttemptAt !== null && [
                say('Next attempt'),
                <NextAttempt key="n" at={data.nextAttemptAt} show="both" />,
              ],
            ]}
          />
        </Panel>
        <Attempts attempts={data.attempts} isHeld={data.state === 'held'} />
        <Panel title={say('What is sent')}>
          <JsonView label={say('Body of the request')} value={parsed(data.body)} />
        </Panel>
      </Stack>
    </>
  );
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

interface AttemptsProps extends Pick<DeliveryDetail, 'attempts'> {
  readonly isHeld: boolean;
}

function Attempts({ attempts, isHeld }: AttemptsProps) {
  return (
    <Panel title={say('Attempts')} flush>
      <DataTable
        label={say('Attempts')}
        pages={{ rows: attempts }}
        rowKey={(a) => String(a.attempt)}
        empty={
          <Empty title={say('Not attempted yet')}>
            {isHeld
              ? say('It waits until the address is resumed.')
              : say('The first attempt follows within moments while the address is active.')}
          </Empty>
        }
        columns={[
          { key: 'attempt', header: say('Attempt'), cell: (a) => say('No. {attempt}', { attempt: a.attempt }) },
          { key: 'at', header: say('Started'), cell: (a) => <Stamp at={a.startedAt} /> },
          {
            key: 'reason',
            header: say('Outcome'),
            cell: (a) => (
              <StatusBadge
                status={a.reason}
                tone={a.reason === 'OK' ? 'good' : 'bad'}
                label={reasonInWords(a.reason)}
              />
            ),
          },
          { key: 'stage', header: say('Stage'), cell: (a) => inWords(a.stage) },
          { key: 'status', header: say('Status'), align: 'right', cell: (a) => a.status ?? <Nothing /> },
          {
            key: 'took',
            header: say('Took'),
            align: 'right',
            cell: (a) => say('{durationMs} ms', { durationMs: a.durationMs.toLocaleString(locale) }),
          },
          {
            key: 'response',
            header: say('Response'),
            cell: (a) =>
              a.response ? (
                <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{a.response}</Code>
              ) : (
                <Nothing />
              ),
          },
        ]}
      />
    </Panel>
  );
}
