// The account of a client as its own people see it: its standing and why, what it has to show, its documents, licences, owners
// and tax profiles. Nothing of other clients, reviews, cases or lists.

import { Group, SimpleGrid, Stack } from '@mantine/core';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { useMe } from '../../data/session.tsx';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { say } from '../../words/words.ts';
import { ClientContact } from './client-contact.tsx';
import { ClientDocuments } from './client-documents.tsx';
import { ClientFigures } from './client-figures.tsx';
import { ClientLicences } from './client-licences.tsx';
import { ClientOwners } from './client-owners.tsx';
import { ClientRequirements } from './client-requirements.tsx';
import { ClientStanding } from './client-standing.tsx';
import { ClientTax } from './client-tax.tsx';
import { StandingBadge } from './standing-badge.tsx';

export default function OwnAccount() {
  const { accountId } = useMe().account;
  const { data: client, error, refetch } = useOp('getClient', { clientId: accountId, expand: 'requirements' });
  if (!client) return <Unfetched title={say('Your account')} above={[]} error={error} refetch={refetch} />;
  return (
    <>
      <PageHeader
        title={client.registeredName}
        beside={
          <Group gap={6}>
            <StandingBadge client={client} />
            {client.test ? <StatusBadge status="TEST" tone="note" /> : null}
          </Group>
        }
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
            <Facts
              items={[
                [say('Client'), <Id key="id" value={client.clientId} what={say('client id')} full to="/account" />],
                [say('Registration number'), client.registrationNumber],
                [say('Tax number'), client.organizationTin],
                [say('Country'), client.countryCode],
                [say('Classification'), client.classification && inWords(client.classification)],
                [say('Contact'), <ClientContact key="contact" clientId={accountId} />],
                [say('Registered'), <Stamp key="at" at={client.createdAt} />],
                [say('Last changed'), <Stamp key="changed" at={client.updatedAt} />],
              ]}
            />
          </Panel>
          <ClientStanding client={client} />
        </SimpleGrid>
        <ClientRequirements requirements={client.requirements ?? []} />
        <ClientDocuments client={client} />
        <ClientLicences client={client} />
        <ClientOwners client={client} />
        <ClientTax client={client} />
      </Stack>
    </>
  );
}
