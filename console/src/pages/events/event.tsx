// One published event: what it announced, to which addresses it was delivered, and what was sent.

import { Anchor, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ClientName } from '../../components/client-name.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { usePath } from '../../data/path.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { say } from '../../words/words.ts';
import { DeliveryTable } from './delivery-table.tsx';

const above = [{ title: say('Webhooks'), to: '/webhooks' }];

export default function Event() {
  const eventId = usePath('eventId');
  const { data, error, refetch } = useOp('getEvent', { eventId });
  if (!data) return <Unfetched title={say('Event')} above={above} error={error} refetch={refetch} />;
  const body = parsed(data.body);
  const about = recordIn(body);
  return (
    <>
      <PageHeader title={data.type} above={above} lead={<Stamp at={data.createdAt} show="both" />} />
      <Stack>
        <Panel title={say('Event')}>
          <Facts
            columns={2}
            items={[
              [say('Event'), <Id key="id" value={data.eventId} full what={say('event id')} />],
              [say('Account'), <ClientName key="client" id={data.clientId} link />],
              about !== undefined && [say('About'), <Id key="about" value={about} what={say('id')} />],
              [
                say('Journal'),
                <Anchor
                  key="journal"
                  component={Link}
                  to="/audit"
                  search={{ resource: about ?? data.clientId, records: 'true' } as never}
                  size="sm"
                >
                  {say('All entries about it')}
                </Anchor>,
              ],
            ]}
          />
        </Panel>
        <Panel title={say('Deliveries')} flush>
          <DeliveryTable deliveries={data.deliveries} />
        </Panel>
        <Panel title={say('What was sent')}>
          <JsonView value={body} label={say('Body of the event')} />
        </Panel>
      </Stack>
    </>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The id of the record in an event's data, by the names its operations give it. */
function recordIn(body: unknown): string | undefined {
  const { data } = (body ?? {}) as { data?: unknown };
  const of = (data ?? {}) as Record<string, unknown>;
  const names = [
    'transactionId',
    'basketId',
    'wagerId',
    'payoutId',
    'cdrId',
    'fileId',
    'reportId',
    'disputeId',
    'caseId',
  ];
  return names.map((name) => of[name]).find((v): v is string => typeof v === 'string');
}
