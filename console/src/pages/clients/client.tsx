// One client: its details, its standing with holds, what it has to show, its tax profiles, its keys, and its history.

import { Anchor, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { isIdOf } from '../../data/id-kind.ts';
import { usePath } from '../../data/path.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { say } from '../../words/words.ts';
import { KeysPanel } from '../keys/keys-panel.tsx';
import { PeopleTable } from '../people/people-table.tsx';
import { HeldWallets } from '../risk/held-wallets.tsx';
import { ClientCases } from './client-cases.tsx';
import { ClientDocuments } from './client-documents.tsx';
import { ClientBadges, ClientFacts } from './client-facts.tsx';
import { ClientFigures } from './client-figures.tsx';
import { ClientHistory } from './client-history.tsx';
import { ClientLicences } from './client-licences.tsx';
import { ClientOwners } from './client-owners.tsx';
import { ClientRequirements } from './client-requirements.tsx';
import { ClientStanding } from './client-standing.tsx';
import { ClientTax } from './client-tax.tsx';

const above = [{ title: say('Clients'), to: '/clients' }];

export default function Client() {
  const clientId = usePath('clientId');
  const { data: client, error, refetch } = useOp('getClient', { clientId, expand: 'requirements' });
  if (!client) return <Unfetched title={say('Client')} above={above} error={error} refetch={refetch} />;
  return (
    <>
      <PageHeader
        title={client.registeredName}
        above={above}
        beside={<ClientBadges client={client} />}
        lead={
          client.acceptable
            ? say('Its transactions are approved.')
            : say('Its transactions are declined: {reason}.', {
                reason: client.reason ?? say('its standing does not allow them'),
              })
        }
      />
      <Stack gap="lg">
        <ClientFigures clientId={clientId} />
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <Panel title={say('Account')}>
            <ClientFacts client={client} />
            {client.observations.length > 0 ? (
              <Stack gap={4} mt="sm">
                {client.observations.map((o) => (
                  <Text key={`${o.code} ${o.field}`} size="sm">
                    <StatusBadge status={o.code} tone="wait" /> {o.message}
                  </Text>
                ))}
              </Stack>
            ) : null}
            <Group gap="md" mt="md">
              <Anchor component={Link} to="/transactions" search={{ clientId } as never} size="sm">
                {say('Transactions')}
              </Anchor>
              <Anchor component={Link} to="/settlement" search={{ clientId } as never} size="sm">
                {say('Settlement')}
              </Anchor>
              <Anchor component={Link} to="/returns" search={{ clientId } as never} size="sm">
                {say('Returns')}
              </Anchor>
              <Anchor component={Link} to="/webhooks" search={{ clientId } as never} size="sm">
                {say('Webhooks')}
              </Anchor>
              <Anchor component={Link} to="/lists" search={{ tab: 'matches', clientId } as never} size="sm">
                {say('Matches with lists')}
              </Anchor>
            </Group>
          </Panel>
          <ClientStanding client={client} />
        </SimpleGrid>
        {isIdOf('client', clientId) ? (
          <>
            <ClientRequirements client={client} />
            <ClientDocuments client={client} />
            <ClientLicences client={client} />
            <ClientOwners client={client} />
          </>
        ) : null}
        <HeldWallets of={{ clientId }} />
        <ClientCases clientId={clientId} />
        <ClientTax client={client} />
        <KeysPanel clientId={clientId} />
        {isIdOf('client', clientId) ? <PeopleTable accountId={clientId} adds /> : null}
        <ClientHistory clientId={clientId} />
      </Stack>
    </>
  );
}
