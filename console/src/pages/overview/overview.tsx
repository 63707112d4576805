// The overview: current activity, its totals and what needs attention. Polled every few seconds.

import { Group, Select, SimpleGrid, Stack } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { among, useFilters } from '../../data/path.ts';
import { usePsp } from '../../data/psp.tsx';
import { useChosenPsp } from '../../data/psps.ts';
import { useMe } from '../../data/session.tsx';
import { useOp } from '../../data/use-op.ts';
import { Loading } from '../../layout/loading.tsx';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { Attention } from './attention.tsx';
import { Countries } from './countries.tsx';
import { Days } from './days.tsx';
import { Figures } from './figures.tsx';
import { Minutes } from './minutes.tsx';
import { currenciesOf } from './series.ts';

const periods = [
  { value: '7', label: say('Last 7 days') },
  { value: '30', label: say('Last 30 days') },
  { value: '90', label: say('Last 90 days') },
  { value: '366', label: say('Last 366 days') },
];

/** People of an authority begin with their records. */
export default function Start() {
  return useMe().account.kind === 'authority' ? <Navigate to="/authority" replace /> : <Overview />;
}

function Overview() {
  const [filters, setFilters] = useFilters();
  const days = periods.some((p) => p.value === filters.days) ? (filters.days as string) : '30';
  const { isOperator } = usePsp();
  const chosen = useChosenPsp();
  const { account } = useMe();
  const { data, error, refetch } = useOp('getOverview', { days: Number(days) }, { every: 5_000 });
  const currencies = data ? currenciesOf(data) : [];
  const currency = among(currencies, filters.currency) ?? currencies[0];
  const whose = chosen?.name ?? (isOperator ? say('All PSPs') : account.name);
  return (
    <>
      <PageHeader
        title={say('Overview')}
        lead={
          <>
            {whose}
            {data ? <> {rich('· as of {at}', { at: <Stamp at={data.at} /> })}</> : null}
          </>
        }
        actions={
          <Group gap="xs">
            {currencies.length > 1 && currency ? (
              <Select
                aria-label={say('Currency of amounts')}
                data={currencies}
                value={currency}
                onChange={(v) => setFilters({ currency: v ?? undefined })}
                allowDeselect={false}
                w={100}
              />
            ) : null}
            <Select
              aria-label={say('Period')}
              data={periods}
              value={days}
              onChange={(v) => setFilters({ days: v ?? undefined })}
              allowDeselect={false}
              w={170}
            />
          </Group>
        }
      />
      {error && !data ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!data && !error ? <Loading /> : null}
      {data ? (
        <Stack>
          <Figures overview={data} currency={currency} />
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Minutes recent={data.recent} />
            <Attention attention={data.attention} />
          </SimpleGrid>
          <Days overview={data} currency={currency} />
          <Countries overview={data} currency={currency} />
        </Stack>
      ) : null}
    </>
  );
}
