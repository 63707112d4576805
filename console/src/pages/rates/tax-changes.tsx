// What changes in the tax rules, by day: the next months by default, for all countries or one.

import { Box, Group, Input, SegmentedControl } from '@mantine/core';
import { useMemo } from 'react';
import { AnyOf } from '../../components/any-of.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';
import classes from '../../components/text.module.css';
import type { Content } from '../../data/assay.ts';
import { countryChoices } from '../../data/countries.ts';
import { daysAfter } from '../../data/days.ts';
import { dayInWords } from '../../data/moments.ts';
import { todayIn } from '../../data/now.ts';
import { useFilters } from '../../data/path.ts';
import { taxNamed } from '../../data/tax-names.ts';
import { useOp } from '../../data/use-op.ts';
import { utc } from '../../data/zone.ts';
import { say } from '../../words/words.ts';

type Change = Content<'listTaxChanges'>['items'][number];

const spans = [
  { value: '-90', label: say('Last 90 days') },
  { value: '90', label: say('Next 90 days') },
  { value: '365', label: say('Next year') },
  { value: 'all', label: say('All to come') },
];

const kinds: Readonly<Record<Change['kind'], readonly [words: string, tone: Tone]>> = {
  STARTS: [say('New tax'), 'wait'],
  CHANGES: [say('Other rate'), 'wait'],
  CONTINUES: [say('Same rate'), 'quiet'],
  ENDS: [say('Ends'), 'note'],
  EXPIRES: [say('Expires unless renewed'), 'bad'],
};

export function TaxChanges() {
  const [filters, setFilters] = useFilters();
  const countries = useMemo(countryChoices, []);
  const span = spans.find((s) => s.value === filters.span)?.value ?? '90';
  const input = { ...daysOf(span, todayIn(utc)), ...(filters.country ? { country: filters.country } : {}) };
  const { data, error, isPending, refetch } = useOp('listTaxChanges', input);
  return (
    <Panel title={say('Changes of the tax rules')} flush>
      <Group px="md" pb="sm" gap="md" align="flex-end" component="search" aria-label={say('Changes')}>
        <Input.Wrapper label={say('When')}>
          <Box maw="100%" style={{ overflowX: 'auto' }}>
            <SegmentedControl
              aria-label={say('When')}
              data={spans}
              value={span}
              onChange={(v) => setFilters({ span: v === '90' ? undefined : v })}
            />
          </Box>
        </Input.Wrapper>
        <AnyOf
          of="country"
          label={say('Country')}
          any={say('All')}
          clear={say('All countries')}
          searchable
          data={countries}
          nothingFoundMessage={say('No such country')}
        />
      </Group>
      <DataTable
        label={say('Changes of the tax rules')}
        pages={{
          rows: data?.items,
          source: { operation: 'listTaxChanges', input, called: {} },
          error: error ?? undefined,
          loading: isPending,
          retry: () => void refetch(),
        }}
        rowKey={(c) => c.changeId}
        empty={<Empty title={say('No change')}>{say('The tax rules that are loaded name none for these days.')}</Empty>}
        columns={[
          { key: 'day', header: say('Day'), cell: (c) => <span className={classes.figures}>{dayInWords(c.day)}</span> },
          { key: 'country', header: say('Country'), cell: (c) => c.countryName },
          { key: 'tax', header: say('Tax'), cell: (c) => taxNamed(c.taxCode) },
          { key: 'title', header: say('Change|noun'), cell: (c) => c.title },
          { key: 'kind', header: say('Kind'), cell: (c) => <Kind of={c} /> },
          { key: 'before', header: say('Before'), cell: (c) => ratesOf(c.before) },
          { key: 'after', header: say('From then on'), cell: (c) => ratesOf(c.after) },
          { key: 'law', header: say('Law'), cell: (c) => c.legalRef, wideOnly: true },
        ]}
      />
    </Panel>
  );
}

function Kind({ of }: { readonly of: Change }) {
  const [words, tone] = kinds[of.kind];
  return <StatusBadge status={of.kind} tone={tone} label={words} />;
}

const ratesOf = (terms: Change['before']) => [...new Set(terms.map((t) => t.rate))].join(', ') || say('None');

function daysOf(span: string, today: string): { since: string; until?: string } {
  if (span === 'all') return { since: today };
  const days = Number(span);
  return days < 0 ? { since: daysAfter(today, days), until: today } : { since: today, until: daysAfter(today, days) };
}
