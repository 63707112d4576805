// The taxes of a country: each over time, and every row with its source and how far it was checked.

import { Anchor, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { CountryFilter } from '../../components/country-filter.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { inWords, StatusBadge, type Tone } from '../../components/status-badge.tsx';
import { useFilters } from '../../data/path.ts';
import { taxNamed } from '../../data/tax-names.ts';
import { useOp } from '../../data/use-op.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { daysText, inForce, limitOf, type Rule, rateOf, strandsOf } from './rule.ts';
import { Strands } from './strands.tsx';

const confidence: Readonly<Record<string, Tone>> = {
  official: 'good',
  secondary: 'wait',
  unverified: 'quiet',
  assumed: 'quiet',
};

export function Taxes() {
  const [filters, setFilters] = useFilters();
  const country = filters.country ?? 'NG';
  const { data, error, isPending, refetch } = useOp('taxRates', { country, all: 'true' });
  const rules = (data?.rates ?? []) as unknown as readonly Rule[];
  const strands = useMemo(() => strandsOf([...rules]), [rules]);
  return (
    <Stack gap="md">
      <CountryFilter value={country} onChange={(v) => setFilters({ country: v })} />
      {error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <>
          {data ? (
            <Panel title={say('{name} through time', { name: data.name })}>
              <Strands strands={strands} today={data.date} />
            </Panel>
          ) : null}
          <Panel title={say('Rules and their sources')} flush>
            <DataTable
              label={say('Tax rules')}
              pages={{ rows: data ? rules : undefined, loading: isPending }}
              rowKey={(r) => r.ruleId}
              empty={<Empty title={say('No rules')} />}
              columns={[
                { key: 'rule', header: say('Rule'), cell: (r) => r.ruleId },
                {
                  key: 'tax',
                  header: say('Tax'),
                  cell: (r) => `${taxNamed(r.taxCode)}, ${inWords(r.category).toLowerCase()}`,
                },
                { key: 'limit', header: say('For'), cell: (r) => limitOf(r) ?? say('All') },
                { key: 'rate', header: say('Rate'), align: 'right', cell: rateOf },
                {
                  key: 'valid',
                  header: say('In force'),
                  cell: (r) => (
                    <Text fw={data && inForce(r, data.date) ? 600 : undefined} inherit>
                      {daysText(r)}
                    </Text>
                  ),
                },
                { key: 'base', header: say('On'), cell: (r) => inWords(r.base), wideOnly: true },
                {
                  key: 'source',
                  header: say('Source'),
                  cell: (r) =>
                    r.source?.url ? (
                      <Anchor href={r.source.url} target="_blank" rel="noreferrer" size="sm">
                        {r.source.title}
                      </Anchor>
                    ) : (
                      r.source?.title
                    ),
                },
                {
                  key: 'checked',
                  header: say('Checked'),
                  cell: (r) => <StatusBadge status={r.confidence} tone={confidence[r.confidence] ?? 'quiet'} />,
                },
              ]}
            />
          </Panel>
          {data ? (
            <Text size="sm" c="dimmed">
              {rich('Tax data version {dataset}. The data is researched with care; it is not tax advice.', {
                dataset: data.dataset,
              })}
            </Text>
          ) : null}
        </>
      )}
    </Stack>
  );
}
