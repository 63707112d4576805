// All that is recorded of one person, wallet or number of a PSP. The address holds a keyed hash, which says nothing about who
// it is; nothing on the page does either.
import { Alert, Anchor, Group, List, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { usePath } from '../../data/path.ts';
import { namedByWords } from '../../data/places.ts';
import { useOp, usePages } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { typeName } from '../transactions/words.ts';

const above = [{ title: 'Find', to: '/find' }];
const places = {
  transaction: '/transactions/',
  wager: '/gaming/wagers/',
  payout: '/gaming/payouts/',
  cdr: '/cdr/records/',
} as const;
const plays: Readonly<Record<string, string>> = { wager: 'Wager', payout: 'Payout', cdr: 'Call record' };
const inWords = (type: string) => plays[type] ?? typeName(type);

type Person = Content<'getPerson'>;

export default function PersonPage() {
  const personId = usePath('personId');
  const { data, error, refetch } = useOp('getPerson', { personId });
  const pages = usePages('listPersonRecords', { personId });
  if (!data) return <Unfetched title="Customer" above={above} error={error} refetch={refetch} />;
  return (
    <>
      <PageHeader
        title={titleOf(data)}
        above={above}
        lead="Every record of one customer, telephone number, wallet or network address. This page and its address contain no personal data."
      />
      <Stack>
        {data.erased ? (
          <Alert color="slate" variant="light" title="Erased">
            The personal data was erased. The records stay, without it.
          </Alert>
        ) : null}
        <Panel title="Total">
          <Facts
            columns={2}
            items={[
              ['Found by', data.namedBy.map((b) => namedByWords[b] ?? b).join(', ')],
              [
                'Records',
                `${data.records.toLocaleString('en')}${data.more ? ' and older ones, which are not added up' : ''}`,
              ],
              data.calls > 0 && ['Calls', `${data.calls.toLocaleString('en')}${data.calls === 1000 ? ' or more' : ''}`],
              ['First', <Stamp key="first" at={data.firstAt} show="both" />],
              ['Last', <Stamp key="last" at={data.lastAt} show="both" />],
              [
                'With',
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
          <Panel title="Cases">
            <List size="sm">
              {data.cases.map((c) => (
                <List.Item key={c.caseId}>
                  <Anchor component={Link} to={`/cases/${c.caseId}`} inherit underline="always">
                    {`Case ${c.number}`}
                  </Anchor>{' '}
                  <StatusBadge status={c.state} />
                </List.Item>
              ))}
            </List>
          </Panel>
        ) : null}
        <Panel title="Records" flush>
          <DataTable
            label="Records"
            pages={pages}
            rowKey={(r) => r.id}
            rowTo={(r) => `${places[r.kind]}${r.id}`}
            columns={[
              { key: 'ref', header: 'Ref', cell: (r) => r.ref ?? <Id value={r.id} copy={false} /> },
              { key: 'type', header: 'Type', cell: (r) => inWords(r.type) },
              { key: 'client', header: 'Client', cell: (r) => <ClientName id={r.clientId} /> },
              { key: 'status', header: 'Status', cell: (r) => <StatusBadge status={r.status} /> },
              {
                key: 'amount',
                header: 'Gross',
                align: 'right',
                cell: (r) => <Money amount={r.amount} currency={r.currency} />,
              },
              { key: 'at', header: 'Recorded (UTC)', cell: (r) => <Stamp at={r.createdAt} show="short" /> },
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
    ? 'A customer'
    : namedBy.includes('msisdn')
      ? 'A telephone number'
      : namedBy.includes('wallet')
        ? 'A wallet'
        : namedBy.includes('chainHash')
          ? 'A transfer on a chain'
          : 'A network address';

function Sums({ person }: { readonly person: Person }) {
  if (person.sums.length === 0)
    return (
      <Text size="sm" c="dimmed" mt="sm">
        No payment, wager or payout: only calls, or records in archived months.
      </Text>
    );
  return (
    <Table.ScrollContainer minWidth={360} mt="sm" scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label="Sums by type and currency">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Type</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th ta="right">Number</Table.Th>
            <Table.Th ta="right">Gross amount</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {person.sums.map((s) => (
            <Table.Tr key={`${s.type} ${s.status} ${s.currency}`}>
              <Table.Td>{inWords(s.type)}</Table.Td>
              <Table.Td>
                <StatusBadge status={s.status} />
              </Table.Td>
              <Table.Td ta="right">{s.count.toLocaleString('en')}</Table.Td>
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
