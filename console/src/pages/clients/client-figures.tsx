// A client's last 30 days in figures: how much was approved, what tax it bore, and what was charged back, by number and by
// amount. Each leads to the records behind it.
import { Alert, Anchor, Group, SimpleGrid, Skeleton, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Money } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Stat } from '../../components/stat.tsx';
import type { Content } from '../../data/assay.ts';
import { dayInWords } from '../../data/moments.ts';
import { percentOf, sumOf } from '../../data/sums.ts';
import { useOp } from '../../data/use-op.ts';
import { Loading } from '../../layout/loading.tsx';

const days = 30;

type Overview = Content<'getOverview'>;
type TaxLine = Content<'listTaxTotals'>['items'][number];

export function ClientFigures({ clientId }: { readonly clientId: string }) {
  const { data, error, refetch } = useOp('getOverview', { days }, { clientId });
  return (
    <Panel title={`Last ${days} days`}>
      {error && !data ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!data && !error ? <Loading /> : null}
      {data ? <Figures overview={data} clientId={clientId} /> : null}
    </Panel>
  );
}

function Figures({ overview, clientId }: { readonly overview: Overview; readonly clientId: string }) {
  const { counts, period, amounts, entriesBehind } = overview;
  const to = (more: string) => `/transactions?clientId=${clientId}&from=${period.from}&to=${period.to}${more}`;
  const rate = percentOf(counts.approved, counts.approved + counts.declined);
  const returned = percentOf(counts.chargedBack, counts.approved);
  return (
    <>
      {entriesBehind > 0 ? (
        <Alert color="brass" variant="light" mb="sm">
          {entriesBehind.toLocaleString('en')} journal entries are not counted yet.
        </Alert>
      ) : null}
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'xs', md: 'md' }} mb="sm">
        <Stat
          name="Approved"
          value={counts.approved.toLocaleString('en')}
          note={`${dayInWords(period.from)} to ${dayInWords(period.to)}`}
          to={to('&status=APPROVED')}
        />
        <Stat
          name="Approval rate"
          value={rate === undefined ? '–' : `${rate}%`}
          note={`${counts.declined.toLocaleString('en')} declined`}
          to={to('&status=DECLINED')}
        />
        <Stat
          name="Charged back"
          value={counts.chargedBack.toLocaleString('en')}
          note="by the day of the chargeback"
          to={to('&chargedBack=true')}
        />
        <Stat
          name="Chargeback ratio"
          value={returned === undefined ? '–' : `${returned}%`}
          note="of approved transactions, by number"
        />
      </SimpleGrid>
      {amounts.length === 0 ? (
        <Text size="sm" c="dimmed">
          No transaction was recorded in these days.
        </Text>
      ) : (
        <ByCurrency amounts={amounts} clientId={clientId} period={period} />
      )}
    </>
  );
}

function ByCurrency({
  amounts,
  clientId,
  period,
}: {
  readonly amounts: Overview['amounts'];
  readonly clientId: string;
  readonly period: Overview['period'];
}) {
  const asked = { dayFrom: period.from, dayTo: period.to, clientId, verdict: 'APPROVED' as const, by: 'rule' };
  const { data: taxes, error, refetch } = useOp('listTaxTotals', asked);
  return (
    <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label="Volume by currency">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Currency</Table.Th>
            <Table.Th ta="right">Volume approved</Table.Th>
            <Table.Th>Taxes in it</Table.Th>
            <Table.Th ta="right">Charged back</Table.Th>
            <Table.Th ta="right">Ratio by amount</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {amounts.map((a) => (
            <Table.Tr key={a.currency}>
              <Table.Td>{a.currency}</Table.Td>
              <Table.Td ta="right">
                <Money amount={a.gross} currency={a.currency} unit={false} />
              </Table.Td>
              <Table.Td>
                {taxes ? (
                  <Taxes lines={taxes.items.filter((l) => l.currency === a.currency)} currency={a.currency} />
                ) : error ? (
                  <Problem error={error} retry={() => void refetch()} />
                ) : (
                  <Skeleton height={16} width={120} />
                )}
              </Table.Td>
              <Table.Td ta="right">
                <Anchor
                  component={Link}
                  to="/transactions"
                  search={{ clientId, chargedBack: 'true', currency: a.currency } as never}
                  inherit
                >
                  <Money amount={a.chargedBackAmount} currency={a.currency} unit={false} />
                </Anchor>
              </Table.Td>
              <Table.Td ta="right">
                {percentOf(a.chargedBackAmount, a.gross) === undefined
                  ? '–'
                  : `${percentOf(a.chargedBackAmount, a.gross)}%`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** VAT first, the other taxes by their codes. */
function Taxes({ lines, currency }: { readonly lines: readonly TaxLine[]; readonly currency: string }) {
  const byCode = Map.groupBy(lines, (l) => l.taxCode ?? 'Other');
  const codes = [...byCode.keys()].sort((a, b) => Number(b === 'VAT') - Number(a === 'VAT') || a.localeCompare(b));
  if (codes.length === 0)
    return (
      <Text span size="sm" c="dimmed">
        none
      </Text>
    );
  return (
    <Group gap="xs">
      {codes.map((code) => (
        <Text key={code} span size="sm">
          {`${code} `}
          <Money amount={sumOf((byCode.get(code) ?? []).map((l) => l.tax))} currency={currency} unit={false} />
        </Text>
      ))}
    </Group>
  );
}
