// What a client's page begins with, for who administers it and for its own people: its badges, and the facts of the account.

import { Group } from '@mantine/core';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { countryName } from '../../data/countries.ts';
import { isIdOf } from '../../data/id-kind.ts';
import { say } from '../../words/words.ts';
import { ClientContact } from './client-contact.tsx';
import { StandingBadge } from './standing-badge.tsx';

type Client = Content<'getClient'>;

export function ClientBadges({ client }: { readonly client: Client }) {
  return (
    <Group gap={6}>
      <StandingBadge client={client} />
      {client.test ? <StatusBadge status="TEST" tone="note" /> : null}
    </Group>
  );
}

/** @param page the page of the client, where it is not that of its id */
export function ClientFacts({ client, page }: { readonly client: Client; readonly page?: string }) {
  const { clientId } = client;
  return (
    <Facts
      items={[
        [
          say('Client'),
          <Id key="id" value={clientId} what={say('client id')} full {...(page === undefined ? {} : { to: page })} />,
        ],
        [say('Registration number'), client.registrationNumber],
        [say('Tax number'), client.organizationTin],
        [say('Country'), client.countryCode && countryName(client.countryCode)],
        [say('Classification'), client.classification && inWords(client.classification)],
        isIdOf('client', clientId) && [say('Contact'), <ClientContact key="contact" clientId={clientId} />],
        [say('Registered'), <Stamp key="at" at={client.createdAt} />],
        [say('Last changed'), <Stamp key="changed" at={client.updatedAt} />],
      ]}
    />
  );
}
