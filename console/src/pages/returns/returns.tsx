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
import { useFilters } from '../../data/path.ts';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { CountrySelect } from './country-select.tsx';
import { useMakeReturn } from './make-return.ts';
import { daysUntil, type Period, returnPages, stateWords, untilInWords } from './shown.ts';

const shown = ['recorded', 'all'] as const;

export default function Returns() {
  const [filters, setFilters] = useFilters();
  const { clientId, country } = filters;
  const all = filters.show === 'all';
  const { data, error, isPending, refetch } = useOp('listFilingPeriods', country ? { countryCode: country } : {}, {
    clientId,
  });
  const rows = useMemo(
    () => data?.items.filter((p) => p.state !== 'FILED' && (all || p.hasRecords || p.reportId !== null)),
    [data, all],
  );
  const overdue = rows?.filter((p) => p.state === 'OVERDUE').length ?? 0;
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
      <Panel title={say('To file')} flush>
        <DataTable<Period>
          label={say('Returns to file')}
          pages={{ rows, error, loading: isPending, retry: () => void refetch() }}
          rowKey={(p) => `${p.form} ${p.period}`}
          rowTo={(p) => (p.reportId === null ? undefined : `/returns/${p.reportId}`)}
          empty={
            <Empty title={say('Nothing to file')}>
              {country
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
