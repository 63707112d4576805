// Sessions of a person as a table: device, network, times and how it began.
import { Group, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Content } from '../data/assay.ts';
import { Nothing } from './nothing.tsx';
import { Stamp } from './stamp.tsx';
import { StatusBadge } from './status-badge.tsx';

export type LiveSession = Content<'listOwnSessions'>['items'][number];

interface Props {
  readonly sessions: readonly LiveSession[];
  readonly actions?: (session: LiveSession) => ReactNode;
}

const methods: Readonly<Record<LiveSession['method'], string>> = {
  PASSWORD: 'Password',
  PASSKEY: 'Passkey',
  PROVIDER: 'Sign-in provider',
};
const factors: Readonly<Record<NonNullable<LiveSession['secondFactor']>, string>> = {
  CODE: 'code',
  RECOVERY_CODE: 'recovery code',
  PASSKEY: 'passkey',
  PROVIDER: 'second factor of the provider',
};

export function LiveSessions({ sessions, actions }: Props) {
  return (
    <Table.ScrollContainer minWidth={560} type="native">
      <Table aria-label="Sessions">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Device</Table.Th>
            <Table.Th>Signed in with</Table.Th>
            <Table.Th>Network</Table.Th>
            <Table.Th>Began</Table.Th>
            <Table.Th>Last seen</Table.Th>
            {actions ? <Table.Th aria-label="Actions" /> : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.map((s) => (
            <Table.Tr key={s.sessionId}>
              <Table.Td>
                <Group gap={6}>
                  {s.device}
                  {s.current ? <StatusBadge status="CURRENT" tone="good" label="This one" /> : null}
                </Group>
              </Table.Td>
              <Table.Td>
                {methods[s.method]}
                {s.secondFactor ? ` and ${factors[s.secondFactor]}` : ''}
              </Table.Td>
              <Table.Td>
                {s.seenNetwork ?? s.network ?? <Nothing />}
                {s.seenNetwork && s.network && s.network !== s.seenNetwork ? (
                  <Text size="xs" c="dimmed">
                    began in {s.network}
                  </Text>
                ) : null}
              </Table.Td>
              <Table.Td>
                <Stamp at={s.createdAt} />
              </Table.Td>
              <Table.Td>
                <Stamp at={s.seenAt} show="relative" />
              </Table.Td>
              {actions ? <Table.Td align="right">{actions(s)}</Table.Td> : null}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
