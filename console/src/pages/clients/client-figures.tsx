// A client's last 30 days in figures: how much was approved, what tax it bore, and what was charged back, by number and by
// amount. Each leads to the records behind it.

import { Alert, Anchor, Group, SimpleGrid, Skeleton, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Money } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Stat } from '../../components/stat.tsx';
import { percent } from '../../data/amounts.ts';
import type { Content } from '../../data/assay.ts';
import { dayInWords } from '../../data/moments.ts';
import { percentOf, sumOf } from '../../data/sums.ts';
import { taxNamed } from '../../data/tax-names.ts';
import { useOp } from '../../data/use-op.ts';
import { Loading } from '../../layout/loading.tsx';
import { locale } from '../../words/language.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { daysOfList } from '../overview/series.ts';

const days = 30;

type Overview = Content<'getOverview'>;
type TaxLine = Content<'listTaxTotals'>['items'][number];

export function ClientFigures({ clientId }: { readonly clientId: string }) {
  const { data, error, refetch } = useOp('getOverview', { days }, { clientId });
  return (
    <Panel title={say('Last {days} days', { days })}>
      {error && !data ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!data && !error ? <Loading /> : null}
      {data ? <Figures overview={data} clientId={clientId} /> : null}
    </Panel>
  );
}

function Figures({ overview, clientId }: { readonly overview: Overview; readonly clientId: string }) {
  const { counts, period, amounts, entriesBehind, byCountry } = overview;
  // Chargebacks are listed by the days of one country.
  const [first, ...others] = byCountry.map((c) => c.countryCode);
  const country = others.length === 0 ? first : undefined;
  const to = (more: string) => `/transactions?clientId=${clientId}&${daysOfList(overview)}${more}`;
  const rate = percentOf(counts.approved, counts.approved + counts.declined);
  const returned = percentOf(counts.chargedBack, counts.approved);
  return (
    <>
      {entriesBehind > 0 ? (
        <Alert color="brass" variant="light" mb="sm">
          {rich('{entriesBehind} journal entries are not counted yet.', {
            entriesBehind: entriesBehind.toLocaleString(locale),
          })}
        </Alert>
      ) : null}
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'xs', md: 'md' }} mb="sm">
        <Stat
          name={say('Approved')}
          value={counts.approved.toLocaleString(locale)}
          note={say('{from} to {to}', { from: dayInWords(period.from), to: dayInWords(period.to) })}
          to={to('&status=APPROVED')}
        />
        <Stat
          name={say('Approval rate')}
          value={rate === undefined ? '–' : percent(rate)}
          note={say('{declined} declined', { declined: counts.declined.toLocaleString(locale) })}
          to={to('&status=DECLINED')}
        />
        <Stat
          name={say('Charged back')}
          value={counts.chargedBack.toLocaleString(locale)}
          note={say('by the day of the chargeback')}
          {...(country ? { to: to(`&chargedBack=true&countryCode=${country}`) } : {})}
        />
        <Stat
          name={say('Chargeback ratio')}
          value={returned === undefined ? '–' : percent(returned)}
          note={say('of approved transactions, by number')}
        />
      </SimpleGrid>
      {amounts.length === 0 ? (
        <Text size="sm" c="dimmed">
          {say('No transaction was recorded in these days.')}
        </Text>
      ) : (
        <ByCurrency amounts={amounts} clientId={clientId} period={period} countryCode={country} />
      )}
    </>
  );
}

function ByCurrency({
  amounts,
  clientId,
  period,
  countryCode,
}: {
  readonly amounts: Overview['amounts'];
  readonly clientId: string;
  readonly period: Overview['period'];
  /** The only country of the records; undefined if there are several, whose chargebacks no one list shows. */
  readonly countryCode: string | undefined;
}) {
  const ofPeriod = { dayFrom: period.from, dayTo: period.to };
  const asked = { ...ofPeriod, clientId, verdict: 'APPROVED' as const, by: 'rule' };
  const { data: taxes, error, refetch } = useOp('listTaxTotals', asked);
  return (
    <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={say('Volume by currency')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('Currency')}</Table.Th>
            <Table.Th ta="right">{say('Volume approved')}</Table.Th>
            <Table.Th>{say('Taxes in it')}</Table.Th>
            <Table.Th ta="right">{say('Charged back')}</Table.Th>
            <Table.Th ta="right">{say('Ratio by amount')}</Table.Th>
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
                  <Taxes
                    lines={taxes.items.filter((l) => l.currency === a.currency && l.method !== 'BY_RETURN')}
                    currency={a.currency}
                  />
                ) : error ? (
                  <Problem error={error} retry={() => void refetch()} />
                ) : (
                  <Skeleton height={16} width={120} />
                )}
              </Table.Td>
              <Table.Td ta="right">
                {countryCode ? (
                  <Anchor
                    component={Link}
                    to="/transactions"
                    search={{ clientId, ...ofPeriod, chargedBack: 'true', countryCode, currency: a.currency } as never}
                    inherit
                  >
                    <Money amount={a.chargedBackAmount} currency={a.currency} unit={false} />
                  </Anchor>
                ) : (
                  <Money amount={a.chargedBackAmount} currency={a.currency} unit={false} />
                )}
              </Table.Td>
              <Table.Td ta="right">
                <Share part={a.chargedBackAmount} whole={a.gross} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Share({ part, whole }: { readonly part: string; readonly whole: string }) {
  const share = percentOf(part, whole);
  return share === undefined ? '–' : percent(share);
}

/** VAT first, the other taxes by their codes. */
function Taxes({ lines, currency }: { readonly lines: readonly TaxLine[]; readonly currency: string }) {
  const byCode = Map.groupBy(lines, (l) => l.taxCode ?? say('Other'));
  const codes = [...byCode.keys()].sort((a, b) => Number(b === 'VAT') - Number(a === 'VAT') || a.localeCompare(b));
  if (codes.length === 0)
    return (
      <Text span size="sm" c="dimmed">
        {say('none')}
      </Text>
    );
  return (
    <Group gap="xs">
      {codes.map((code) => (
        <Text key={code} span size="sm">
          {`${taxNamed(code)} `}
          <Money amount={sumOf((byCode.get(code) ?? []).map((l) => l.tax))} currency={currency} unit={false} />
        </Text>
      ))}
    </Group>
  );
}
