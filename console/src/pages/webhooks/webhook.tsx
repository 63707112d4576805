// One webhook address: its health, its actions, and its deliveries.

import { Badge, Group, SimpleGrid, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ClientName } from '../../components/client-name.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { Stat } from '../../components/stat.tsx';
import { usePath } from '../../data/path.ts';
import { useMay } from '../../data/session.tsx';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import { AddressActions } from './address-actions.tsx';
import { Deliveries } from './deliveries.tsx';
import { AddressBadge, type Webhook } from './shown.tsx';

const above = [{ title: say('Webhooks'), to: '/webhooks' }];

export default function WebhookPage() {
  const webhookId = usePath('webhookId');
  const { data, error, refetch } = useOp('getWebhook', { webhookId }, { every: 5_000 });
  const may = useMay('pauseWebhook');
  const navigate = useNavigate();
  if (!data) return <Unfetched title={say('Webhook address')} above={above} error={error} refetch={refetch} />;
  return (
    <>
      <PageHeader
        title={data.url}
        above={above}
        beside={<AddressBadge webhook={data} />}
        lead={data.stateReason ?? undefined}
        actions={
          may && data.state !== 'DELETED' ? (
            <AddressActions webhook={data} onDeleted={() => void navigate({ to: '/webhooks' })} />
          ) : null
        }
      />
      <Stack>
        <Backlog webhook={data} />
        <Health webhook={data} />
        <Deliveries webhook={data} />
      </Stack>
    </>
  );
}

function Backlog({ webhook: { webhookId, backlog: b } }: { readonly webhook: Webhook }) {
  const to = (state: string) => `/webhooks/${webhookId}?state=${state}`;
  const count = (n: number) => n.toLocaleString(locale);
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }}>
      <Stat name={say('Waiting')} value={count(b.pending + b.delivering)} to={to('pending')} />
      <Stat
        name={say('Being retried')}
        value={count(b.retrying)}
        to={to('retrying')}
        {...(b.retrying > 0 ? { tone: 'wait' } : {})}
      />
      <Stat
        name={say('Failed')}
        value={count(b.exhausted)}
        to={to('exhausted')}
        {...(b.exhausted > 0 ? { tone: 'bad' } : {})}
      />
      <Stat name={say('Paused')} value={count(b.held)} to={to('held')} {...(b.held > 0 ? { tone: 'wait' } : {})} />
    </SimpleGrid>
  );
}

function Health({ webhook: w }: { readonly webhook: Webhook }) {
  return (
    <Panel title={say('Address')}>
      <Facts
        columns={2}
        items={[
          [say('Id'), <Id key="id" value={w.webhookId} what={say('webhook id')} full />],
          [say('Account'), <ClientName key="whose" id={w.clientId} link />],
          [say('Last delivered'), <Stamp key="ok" at={w.health.lastOkAt} show="both" />],
          [say('Last failure'), <Stamp key="fail" at={w.health.lastFailureAt} show="both" />],
          // An address that was disabled is not tried, and its failures are not counted any more: the reason above has them.
          w.state !== 'DISABLED' && [
            say('Failing since'),
            <Stamp key="since" at={w.health.failingSince} show="both" />,
          ],
          w.state !== 'DISABLED' && [say('Failures in a row'), w.health.failures.toLocaleString(locale)],
          [
            say('Event types'),
            <Group key="types" gap={4}>
              {w.eventTypes.map((t) => (
                <Badge key={t} variant="default">
                  {t === '*' ? say('every event') : t}
                </Badge>
              ))}
            </Group>,
          ],
          [say('Subscribed'), <Stamp key="made" at={w.createdAt} />],
        ]}
      />
    </Panel>
  );
}
