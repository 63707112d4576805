// Returns to file: the periods of each form with their due days, overdue ones first.

import { Button, Select, Text } from '@mantine/core';
import { useMemo } from 'react';
import { ClientSelect } from '../../components/client-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { SubPages } from '../../components/sub-pages.tsx';
import { countryName } from '../../data/countries.ts';
import { dayInWords } from '../../data/moments.ts';
import { day } from '../../data/now.ts';
import { among, useFilters } from '../../data/path.ts';
import { useOp } from '../../data/use-op.ts';
import { plural, say } from '../../words/words.ts';
import { CountrySelect } from './country-select.tsx';
import { useMakeReturn } from './make-return.ts';
import { daysUntil, type Period, returnPages, stateWords, untilInWords } from './shown.ts';

const shown = ['recorded', 'all'] as const;
/** States of what is to be filed. */
const states = ['OVERDUE', 'DUE', 'OPEN'] as const;

export default function Returns() {
  const [filters, setFilters] = useFilters();
  const { clientId, country, form } = filters;
  const state = among(states, filters.state);
  const all = filters.show === 'all';
  const { data, error, isPending, refetch } = useOp('listFilingPeriods', country ? { countryCode: country } : {}, {
    clientId,
  });
  const toFile = useMemo(
    () => data?.items.filter((p) => p.state !== 'FILED' && (all || p.hasRecords || p.reportId !== null)),
    [data, all],
  );
  const rows = useMemo(
    () => toFile?.filter((p) => (!form || p.form === form) && (!state || p.state === state)),
    [toFile, form, state],
  );
  const overdue = toFile?.filter((p) => p.state === 'OVERDUE').length ?? 0;
  const filtered = form !== undefined || state !== undefined;
  return (
    <>
      <PageHeader
        title={say('Returns')}
        lead={say(
          'Forms of tax authorities, filled in from the records. A person sends them; here it is recorded that they were filed.',
        )}
        beside={
          overdue > 0 ? <StatusBadge status="OVERDUE" tone="bad" label={say('{overdue} overdue', { overdue })} /> : null
        }
      />
      <SubPages label={say('Pages of returns')} pages={returnPages} />
      <FilterBar>
        <CountrySelect value={country} onChange={(v) => setFilters({ country: v })} />
        <ClientSelect
          label={say('Taxpayer')}
          placeholder={say('PSP with all clients')}
          value={clientId}
          onChange={(v) => setFilters({ clientId: v })}
        />
        <Select
          label={say('Form')}
          placeholder={say('Any')}
          data={formChoices(toFile, form)}
          value={form ?? null}
          onChange={(v) => setFilters({ form: v ?? undefined })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': say('Any form') }}
          nothingFoundMessage={say('No such form')}
        />
        <Select
          label={say('State')}
          placeholder={say('Any')}
          data={states.map((value) => ({ value, label: stateWords[value][0] }))}
          value={state ?? null}
          onChange={(v) => setFilters({ state: v ?? undefined })}
          clearable
          clearButtonProps={{ 'aria-label': say('Any state') }}
        />
        <Select
          label={say('Show')}
          allowDeselect={false}
          data={[
            { value: shown[0], label: say('Periods with records') },
            { value: shown[1], label: say('All periods, also without records') },
          ]}
          value={all ? shown[1] : shown[0]}
          onChange={(v) => setFilters({ show: v === 'all' ? v : undefined })}
        />
      </FilterBar>
      <Panel
        title={say('To file')}
        flush
        actions={
          rows ? (
            <Text size="sm" c="dimmed" role="status" aria-label={say('Number of returns to file')}>
              {filtered
                ? say('{shown} of {all}', { shown: rows.length, all: toFile?.length })
                : plural(rows.length, '{n} return', '{n} returns')}
            </Text>
          ) : null
        }
      >
        <DataTable<Period>
          label={say('Returns to file')}
          pages={{ rows, error, loading: isPending, retry: () => void refetch() }}
          rowKey={(p) => `${p.form} ${p.period}`}
          rowTo={(p) => (p.reportId === null ? undefined : `/returns/${p.reportId}`)}
          empty={
            <Empty title={filtered ? say('No return with these filters') : say('Nothing to file')}>
              {filtered
                ? say('Choose another form or state.')
                : country
                  ? say(
                      'No taxes were recorded that a form of this country holds. Some authorities want a return without sales too: show all periods.',
                    )
                  : say(
                      'Periods appear with the first record that bears tax in a country whose forms are known. Choose a country to see its forms.',
                    )}
            </Empty>
          }
          columns={[
            { key: 'form', header: say('Form'), cell: (p) => <FormName period={p} /> },
            { key: 'country', header: say('Country'), cell: (p) => countryName(p.countryCode), wideOnly: true },
            { key: 'period', header: say('Period'), cell: (p) => <Days period={p} /> },
            { key: 'due', header: say('Due on'), cell: (p) => <Due period={p} /> },
            { key: 'state', header: say('State'), cell: (p) => <State period={p} /> },
            { key: 'make', header: say('Return'), cell: (p) => <Make period={p} clientId={clientId} /> },
          ]}
        />
      </Panel>
    </>
  );
}

/** The forms of these periods, with how many each has; also the one that is chosen, so that it can be taken away. */
function formChoices(periods: readonly Period[] | undefined, chosen: string | undefined) {
  const forms = Map.groupBy(periods ?? [], (p) => p.form);
  if (chosen !== undefined && !forms.has(chosen)) forms.set(chosen, []);
  return [...forms]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([value, of]) => ({ value, label: `${value} (${of.length})` }));
}

export const FormName = ({ period: p }: { readonly period: Pick<Period, 'form' | 'title' | 'english'> }) => (
  <div>
    <Text size="sm" fw={600}>
      {p.form}
    </Text>
    <Text size="xs" c="dimmed" maw="22rem">
      {p.english ?? p.title}
    </Text>
  </div>
);

export const Days = ({ period: p }: { readonly period: Pick<Period, 'period' | 'firstDay' | 'lastDay'> }) => (
  <div>
    <Text size="sm">{p.period}</Text>
    <Text size="xs" c="dimmed">
      {dayInWords(p.firstDay)} – {dayInWords(p.lastDay)}
    </Text>
  </div>
);

function Due({ period: p }: { readonly period: Period }) {
  return (
    <div>
      <Text size="sm">{dayInWords(p.dueOn)}</Text>
      <Text size="xs" c="dimmed">
        {untilInWords(daysUntil(p.dueOn, day()))}
      </Text>
    </div>
  );
}

function State({ period: p }: { readonly period: Period }) {
  const [label, tone] = stateWords[p.state];
  return (
    <div>
      <StatusBadge status={p.state} label={label} tone={tone} />
      {p.hasRecords ? null : (
        <Text size="xs" c="dimmed">
          {say('nothing recorded')}
        </Text>
      )}
    </div>
  );
}

/** Placed above the row's link. */
function Make({ period: p, clientId }: { readonly period: Period; readonly clientId: string | undefined }) {
  const { make, busy } = useMakeReturn(clientId);
  if (p.reportId !== null) return <span>{say('Made')}</span>;
  return (
    <Button
      size="xs"
      variant="default"
      pos="relative"
      style={{ zIndex: 1 }}
      loading={busy}
      aria-label={say('Make the return {form} for {period}', { form: p.form, period: p.period })}
      onClick={() => void make(p.form, p.period)}
    >
      {say('Make')}
    </Button>
  );
}
