// Sessions of a person as a table: device, network, times and how it began.

import { Group, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Content } from '../data/assay.ts';
import { rich } from '../words/rich.ts';
import { say } from '../words/words.ts';
import { Nothing } from './nothing.tsx';
import { Stamp } from './stamp.tsx';
import { StatusBadge } from './status-badge.tsx';

type LiveSession = Content<'listOwnSessions'>['items'][number];

interface Props {
  readonly sessions: readonly LiveSession[];
  readonly actions?: (session: LiveSession) => ReactNode;
}

const methods: Readonly<Record<LiveSession['method'], string>> = {
  PASSWORD: say('Password'),
  PASSKEY: say('Passkey'),
  PROVIDER: say('Sign-in provider'),
};
const factors: Readonly<Record<NonNullable<LiveSession['secondFactor']>, string>> = {
  CODE: say('code'),
  RECOVERY_CODE: say('recovery code'),
  PASSKEY: say('passkey'),
  PROVIDER: say('second factor of the provider'),
};

const devices: Readonly<Record<string, string>> = {
  'A browser': say('A browser'),
  Program: say('Program'),
  'Program in Python': say('Program in Python'),
  'Unknown device': say('Unknown device'),
};

/** What the service calls a device, such as Firefox on Linux, in the language of the console. */
export function deviceInWords(device: string): string {
  const [browser = '', system] = device.split(' on ');
  const name = devices[browser] ?? browser;
  return system === undefined ? name : say('{name} on {system}', { name, system });
}

export function LiveSessions({ sessions, actions }: Props) {
  return (
    <Table.ScrollContainer minWidth={560} type="native">
      <Table aria-label={say('Sessions')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('Device')}</Table.Th>
            <Table.Th>{say('Signed in with')}</Table.Th>
            <Table.Th>{say('Network')}</Table.Th>
            <Table.Th>{say('Began')}</Table.Th>
            <Table.Th>{say('Last seen')}</Table.Th>
            {actions ? <Table.Th aria-label={say('Actions')} /> : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.map((s) => (
            <Table.Tr key={s.sessionId}>
              <Table.Td>
                <Group gap={6}>
                  {deviceInWords(s.device)}
                  {s.current ? <StatusBadge status="CURRENT" tone="good" label={say('This one')} /> : null}
                </Group>
              </Table.Td>
              <Table.Td>
                {methods[s.method]}
                {s.secondFactor ? ` ${say('and {factors}', { factors: factors[s.secondFactor] })}` : ''}
              </Table.Td>
              <Table.Td>
                {s.seenNetwork ?? s.network ?? <Nothing />}
                {s.seenNetwork && s.network && s.network !== s.seenNetwork ? (
                  <Text size="xs" c="dimmed">
                    {rich('began in {network}', { network: s.network })}
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
