// All that is recorded of one person, wallet or number of a PSP. The address holds a keyed hash, which says nothing about who
// it is; nothing on the page does either.

import { Alert, Anchor, Group, List, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Money, moneyColumn } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { usePath } from '../../data/path.ts';
import { namedByWords } from '../../data/places.ts';
import { useIsClient } from '../../data/session.tsx';
import { useOp, usePages } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import { HeldWallets } from '../risk/held-wallets.tsx';
import { typeName } from '../transactions/words.ts';

const above = [{ title: say('Find'), to: '/find' }];
const places = {
  transaction: '/transactions/',
  wager: '/gaming/wagers/',
  payout: '/gaming/payouts/',
  cdr: '/cdr/records/',
} as const;
const plays: Readonly<Record<string, string>> = { wager: say('Wager'), payout: say('Payout'), cdr: say('Call record') };
const inWords = (type: string) => plays[type] ?? typeName(type);

type Person = Content<'getPerson'>;

export default function PersonPage() {
  const personId = usePath('personId');
  const { data, error, refetch } = useOp('getPerson', { personId });
  const isClient = useIsClient();
  const pages = usePages('listPersonRecords', { personId });
  if (!data) return <Unfetched title={say('Customer')} above={above} error={error} refetch={refetch} />;
  return (
    <>
      <PageHeader
        title={titleOf(data)}
        above={above}
        lead={say(
          'Every record of one customer, telephone number, wallet or network address. This page and its address contain no personal data.',
        )}
      />
      <Stack>
        {data.erased ? (
          <Alert color="slate" variant="light" title={say('Erased')}>
            {say('The personal data was erased. The records stay, without it.')}
          </Alert>
        ) : null}
        <Panel title={say('Total')}>
          <Facts
            columns={2}
            items={[
              [say('Found by'), data.namedBy.map((b) => namedByWords[b] ?? b).join(', ')],
              [
                say('Records'),
                `${data.records.toLocaleString(locale)}${data.more ? ` ${say('and older ones, which are not added up')}` : ''}`,
              ],
              data.calls > 0 && [
                say('Calls'),
                `${data.calls.toLocaleString(locale)}${data.calls === 1000 ? ` ${say('or more')}` : ''}`,
              ],
              [say('First'), <Stamp key="first" at={data.firstAt} show="both" />],
              [say('Last'), <Stamp key="last" at={data.lastAt} show="both" />],
              [
                say('With'),
                <Group key="clients" gap="xs">
                  {data.clientIds.map((id) => (
                    <ClientName key={id} id={id} link />
                  ))}
                </Group>,
              ],
            ]}
          />
          <Sums person={data} />
        </Panel>
        {data.cases.length > 0 ? (
          <Panel title={say('Cases')}>
            <List size="sm">
              {data.cases.map((c) => (
                <List.Item key={c.caseId}>
                  <Anchor component={Link} to={`/cases/${c.caseId}`} inherit underline="always">
                    {say('Case {number}', { number: c.number })}
                  </Anchor>{' '}
                  <StatusBadge status={c.state} />
                </List.Item>
              ))}
            </List>
          </Panel>
        ) : null}
        {isClient || !data.namedBy.includes('wallet') ? null : (
          <HeldWallets of={{ walletId: personId }} named={pages.rows?.find((r) => r.kind === 'transaction')?.id} />
        )}
        <Panel title={say('Records')} flush>
          <DataTable
            label={say('Records')}
            pages={pages}
            rowKey={(r) => r.id}
            rowTo={(r) => `${places[r.kind]}${r.id}`}
            columns={[
              { key: 'ref', header: say('Ref'), cell: (r) => r.ref ?? <Id value={r.id} copy={false} /> },
              { key: 'type', header: say('Type'), cell: (r) => inWords(r.type) },
              { key: 'client', header: say('Client'), cell: (r) => <ClientName id={r.clientId} /> },
              { key: 'status', header: say('Status'), cell: (r) => <StatusBadge status={r.status} /> },
              moneyColumn('amount', say('Gross')),
              { key: 'at', header: say('Recorded (UTC)'), cell: (r) => <Stamp at={r.createdAt} show="short" /> },
            ]}
          />
        </Panel>
      </Stack>
    </>
  );
}

/** By what records name it first; a telephone number may be that of a customer, too. */
const titleOf = ({ namedBy }: Person): string =>
  namedBy.includes('customer')
    ? say('A customer')
    : namedBy.includes('msisdn')
      ? say('A telephone number')
      : namedBy.includes('wallet')
        ? say('A wallet')
        : namedBy.includes('chainHash')
          ? say('A transfer on a chain')
          : say('A network address');

function Sums({ person }: { readonly person: Person }) {
  if (person.sums.length === 0)
    return (
      <Text size="sm" c="dimmed" mt="sm">
        {say('No payment, wager or payout: only calls, or records in archived months.')}
      </Text>
    );
  return (
    <Table.ScrollContainer minWidth={360} mt="sm" scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={say('Sums by type and currency')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('Type')}</Table.Th>
            <Table.Th>{say('Status')}</Table.Th>
            <Table.Th ta="right">{say('Number|count')}</Table.Th>
            <Table.Th ta="right">{say('Gross amount')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {person.sums.map((s) => (
            <Table.Tr key={`${s.type} ${s.status} ${s.currency}`}>
              <Table.Td>{inWords(s.type)}</Table.Td>
              <Table.Td>
                <StatusBadge status={s.status} />
              </Table.Td>
              <Table.Td ta="right">{s.count.toLocaleString(locale)}</Table.Td>
              <Table.Td ta="right">
                <Money amount={s.amount} currency={s.currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
