// The account of a client as its own people see it: its standing and why, what it has to show, its documents, licences, owners
// and tax profiles. Nothing of other clients, reviews, cases or lists.

import { SimpleGrid, Stack } from '@mantine/core';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { useMe } from '../../data/session.tsx';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { say } from '../../words/words.ts';
import { ClientDocuments } from './client-documents.tsx';
import { ClientBadges, ClientFacts } from './client-facts.tsx';
import { ClientFigures } from './client-figures.tsx';
import { ClientLicences } from './client-licences.tsx';
import { ClientOwners } from './client-owners.tsx';
import { ClientRequirements } from './client-requirements.tsx';
import { ClientStanding } from './client-standing.tsx';
import { ClientTax } from './client-tax.tsx';

export default function OwnAccount() {
  const { accountId } = useMe().account;
  const { data: client, error, refetch } = useOp('getClient', { clientId: accountId, expand: 'requirements' });
  if (!client) return <Unfetched title={say('Your account')} above={[]} error={error} refetch={refetch} />;
  return (
    <>
      <PageHeader
        title={client.registeredName}
        beside={<ClientBadges client={client} />}
        lead={
          client.acceptable
            ? say('Your transactions are approved.')
            : say('Your transactions are declined: {reason}.', {
                reason: client.reason ?? say('your standing does not allow them'),
              })
        }
      />
      <Stack gap="lg">
        <ClientFigures clientId={accountId} />
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <Panel title={say('Account')}>
            <ClientFacts client={client} page="/account" />
          </Panel>
          <ClientStanding client={client} />
        </SimpleGrid>
        <ClientRequirements client={client} />
        <ClientDocuments client={client} />
        <ClientLicences client={client} />
        <ClientOwners client={client} />
        <ClientTax client={client} />
      </Stack>
    </>
  );
}
