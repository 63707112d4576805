// The events of a record and its chargeback, each with its deliveries: the address, the state and the last answer.

import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Problem } from '../../components/problem.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useOp } from '../../data/use-op.ts';
import { Loading } from '../../layout/loading.tsx';
import { rich } from '../../words/rich.ts';
import { plural, say } from '../../words/words.ts';
import { useWebhookUrls } from '../events/webhook-urls.ts';

export function Announced({ ids }: { readonly ids: readonly string[] }) {
  const { data, error, refetch } = useOp('listEvents', {
    resourceId: ids.join(','),
    expand: 'deliveries',
    limit: 50,
  });
  const urlOf = useWebhookUrls();
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  if (data.items.length === 0)
    return (
      <Text size="sm">
        {rich('Not sent to anybody: no webhook address was subscribed to its events. {link}', {
          link: (
            <Anchor component={Link} to="/webhooks" inherit underline="always">
              {say('Webhooks')}
            </Anchor>
          ),
        })}
      </Text>
    );
  return (
    <Stack gap="sm">
      {data.items.map((e) => (
        <div key={e.eventId}>
          <Text size="sm">
            <Anchor component={Link} to={`/events/${e.eventId}`} inherit underline="always">
              {e.type}
            </Anchor>{' '}
            <Text span inherit c="dimmed">
              <Stamp at={e.createdAt} />
            </Text>
          </Text>
          {(e.deliveries ?? []).map((d) => (
            <Text key={d.deliveryId} size="sm" style={{ overflowWrap: 'anywhere' }} component="div">
              {rich('{statusBadge} to {link}{attemptCount}{lastStatus}', {
                statusBadge: <StatusBadge status={d.state} />,
                link: (
                  <Anchor
                    component={Link}
                    to={`/webhooks/${d.webhookId}/deliveries/${d.deliveryId}`}
                    inherit
                    underline="always"
                  >
                    {urlOf(d.webhookId) ?? d.webhookId}
                  </Anchor>
                ),
                attemptCount:
                  d.attemptCount > 0 ? ` ${plural(d.attemptCount, 'after {n} attempt', 'after {n} attempts')}` : '',
                lastStatus:
                  d.lastStatus === null
                    ? ''
                    : `, ${say('last answer HTTP {lastStatus}', { lastStatus: d.lastStatus })}`,
              })}
            </Text>
          ))}
          {e.deliveries?.length === 0 ? (
            <Text size="sm" c="dimmed">
              {say('To no address that you may see.')}
            </Text>
          ) : null}
        </div>
      ))}
    </Stack>
  );
}
