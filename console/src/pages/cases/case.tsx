// One case: its alerts, what is in it, the client's history beside it, and what may be done.

import { Anchor, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { usePath } from '../../data/path.ts';
import { useActorNames } from '../../data/people.ts';
import { usePsp } from '../../data/psp.tsx';
import { pageOf } from '../../data/psp-address.ts';
import { usePsps } from '../../data/psps.ts';
import { useMay } from '../../data/session.tsx';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { rich } from '../../words/rich.ts';
import { named, plural, say } from '../../words/words.ts';
import { ClientHistory } from '../clients/client-history.tsx';
import { MatchLink } from '../lists/match-link.tsx';
import { ReviewBadge } from '../reviews/state.tsx';
import { CaseActions } from './case-actions.tsx';
import { CaseItems } from './case-items.tsx';
import { Deciding } from './deciding.tsx';
import { CaseBadge, type CaseDetail, Due, queueName } from './state.tsx';

const above = [{ title: say('Cases'), to: '/cases' }];

export default function CasePage() {
  const caseId = usePath('caseId');
  const { data, error, refetch } = useOp('getCase', { caseId }, { asOperator: true });
  if (error || !data) return <Unfetched title={say('Case')} above={above} error={error} refetch={refetch} />;
  return <Shown of={data} />;
}

function Shown({ of: c }: { readonly of: CaseDetail }) {
  const works = useMay('noteCase');
  const actorOf = useActorNames();
  const { isOperator } = usePsp();
  const { data: psps } = usePsps();
  return (
    <>
      <PageHeader
        title={say('Case {number}', { number: c.number })}
        above={above}
        beside={
          <Group gap={6}>
            <StatusBadge status={c.severity} />
            <CaseBadge of={c} />
          </Group>
        }
        lead={rich('{alerts} · {caseClient} · opened {createdAt}', {
          alerts: c.aboutPerson
            ? plural(c.alerts, '{n} alert about a person', '{n} alerts about a person')
            : plural(c.alerts, '{n} alert about the client', '{n} alerts about the client'),
          caseClient: <CaseClient of={c} />,
          createdAt: <Stamp at={c.createdAt} show="both" />,
        })}
        actions={works && c.state !== 'CLOSED' ? <CaseActions of={c} /> : null}
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <Alerts of={c} />
            <CaseItems of={c} writable={works} actorOf={actorOf} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack>
            <Panel title={say('State')}>
              <Facts
                items={[
                  [say('State'), <CaseBadge key="state" of={c} />],
                  [say('Severity'), <StatusBadge key="severity" status={c.severity} />],
                  [say('Due'), <Due key="due" of={c} />],
                  [say('Assigned to'), c.assignee && actorOf(c.assignee)],
                  [say('Queue'), queueName(c.queue)],
                  isOperator && ['PSP', psps?.find((p) => p.pspId === c.pspId)?.name ?? c.pspId],
                  [say('Client'), <CaseClient key="client" of={c} />],
                  [say('Case'), <Id key="id" value={c.caseId} full what={say('case id')} />],
                  c.closedAt !== null && [say('Closed'), <Stamp key="closed" at={c.closedAt} />],
                ]}
              />
            </Panel>
            {works ? <Deciding of={c} actorOf={actorOf} /> : null}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <ClientHistory clientId={c.clientId} />
        </Grid.Col>
      </Grid>
    </>
  );
}

/** The client's name, which leads to its page, also where the cases of every PSP are shown. */
function CaseClient({ of: c }: { readonly of: CaseDetail }) {
  const { isOperator } = usePsp();
  const { data } = useOp('getClient', { clientId: c.clientId }, isOperator ? { pspId: c.pspId } : {});
  const to = `/clients/${c.clientId}`;
  if (!data) return <Id value={c.clientId} what={say('client id')} copy={false} />;
  return (
    <Anchor component={Link} to={isOperator ? pageOf(c.pspId, to) : to} inherit underline="always" title={c.clientId}>
      {data.registeredName}
    </Anchor>
  );
}

/** So many that the decision beside them is reached by a few steps of the keyboard. */
const firstAlerts = 5;

function Alerts({ of: c }: { readonly of: CaseDetail }) {
  const [all, setAll] = useState(false);
  const more = c.reviews.length > firstAlerts && !all;
  return (
    <Panel title={say('Alerts')}>
      <Stack gap="md">
        {(more ? c.reviews.slice(0, firstAlerts) : c.reviews).map((r) => (
          <div key={r.reviewId}>
            <Group gap={8} wrap="wrap">
              <Anchor component={Link} to={`/reviews/${r.reviewId}`} fw={600}>
                {inWords(r.rule)}
              </Anchor>
              <StatusBadge status={r.severity} />
              <ReviewBadge review={r} />
            </Group>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {named(r.reason)}
            </Text>
            <MatchLink alert={r} pspId={c.pspId} clientId={c.clientId} />
            <Group gap={8} wrap="wrap">
              {r.amount === null ? null : <Money amount={r.amount} currency={r.currency} />}
              {r.transactionId ? <Id value={r.transactionId} what={say('transaction id')} /> : null}
              <Text size="sm" c="dimmed" component="span">
                <Stamp at={r.createdAt} show="relative" />
              </Text>
            </Group>
          </div>
        ))}
        {more ? (
          <Button variant="default" onClick={() => setAll(true)}>
            {plural(c.reviews.length - firstAlerts, 'Show {n} more alert', 'Show {n} more alerts')}
          </Button>
        ) : null}
      </Stack>
    </Panel>
  );
}
