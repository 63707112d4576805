// What the keys of a PSP and its clients called in the last days, and why a request was refused.

import { Box, Select, SimpleGrid, Text } from '@mantine/core';
import { AnyOf } from '../../components/any-of.tsx';
import { ClientName } from '../../components/client-name.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DayFilters } from '../../components/day-filters.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterMarks } from '../../components/filter-marks.tsx';
import { Id } from '../../components/id.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { inCapitals, TextFilter } from '../../components/text-filter.tsx';
import type { Content } from '../../data/assay.ts';
import { wholeDays } from '../../data/days.ts';
import { type Filters, useFilters } from '../../data/path.ts';
import { isRequestId } from '../../data/places.ts';
import { useIsClient } from '../../data/session.tsx';
import { useAll, usePages } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { plural, say } from '../../words/words.ts';

type Logged = Content<'listRequests'>['items'][number];

const readRequestId = (text: string) => (isRequestId(text) ? text.toLowerCase() : undefined);
const readStatus = (text: string) => (/^[1-5]\d\d$/.test(text) ? text : undefined);

const outcomes = [
  { value: 'REFUSED', label: say('Refused') },
  { value: 'ANSWERED', label: say('Answered') },
] as const;

const testMode = (f: Filters): { mode?: 'test' } => (f.mode === 'test' ? { mode: 'test' } : {});

function listQuery(f: Filters) {
  const { from, to } = wholeDays(f);
  const outcome = outcomes.find((o) => o.value === f.outcome)?.value;
  return {
    ...(outcome ? { outcome } : {}),
    ...(f.status && readStatus(f.status) ? { status: Number(f.status) } : {}),
    ...(f.requestId && readRequestId(f.requestId) ? { requestId: f.requestId } : {}),
    ...testMode(f),
    ...{ code: f.code, keyId: f.keyId, clientId: f.clientId, route: f.route, ref: f.ref, from, to },
  };
}

/** The keys whose requests are listed: of a client its own. */
function useKnownKeys(filters: Filters): { readonly value: string; readonly label: string }[] {
  const isClient = useIsClient();
  const all = useAll('listAllKeys', testMode(filters), { enabled: !isClient });
  const own = useAll('listOwnKeys', {}, { enabled: isClient });
  const mode = filters.mode === 'test' ? 'test' : 'live';
  return [
    ...(all ?? []).map((k) => ({ value: k.keyId, label: `${k.name} (${k.accountName})` })),
    ...(own ?? []).flatMap((k) => (k.mode === mode ? [{ value: k.keyId, label: k.name }] : [])),
  ];
}

export default function Requests() {
  const [filters, set] = useFilters();
  const pages = usePages('listRequests', listQuery(filters), { every: 10_000 });
  const known = useKnownKeys(filters);
  const { keyId } = filters;
  const options = keyId && !known.some((k) => k.value === keyId) ? [{ value: keyId, label: keyId }, ...known] : known;
  const isFiltered = Object.entries(filters).some(([name, value]) => value && name !== 'zone' && name !== 'hide');
  return (
    <>
      <PageHeader
        title={say('Requests')}
        above={[{ title: say('API keys'), to: '/keys' }]}
        lead={say('What programs called with keys, and what was answered: without bodies, which are not kept.')}
      />
      <Panel title={say('Latest requests')} flush>
        <Box component="search" px="md" pb="sm" aria-label={say('Requests')}>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
            <AnyOf of="outcome" label={say('Outcome')} clear={say('Any outcome')} data={outcomes} />
            <AnyOf of="keyId" label={say('Key')} clear={say('Any key')} searchable data={options} />
            <ClientSelect value={filters.clientId} onChange={(v) => set({ clientId: v })} />
            <Select
              label={say('Kind of key')}
              allowDeselect={false}
              data={[
                { value: 'live', label: say('Live') },
                { value: 'test', label: say('Test') },
              ]}
              value={filters.mode === 'test' ? 'test' : 'live'}
              onChange={(v) => set({ mode: v === 'test' ? 'test' : undefined, keyId: undefined })}
            />
            <TextFilter
              of="status"
              label={say('Status')}
              placeholder="400"
              read={readStatus}
              wrong={say('A number from 100 to 599')}
            />
            <TextFilter of="code" read={inCapitals} label={say('Code')} placeholder="FIELD_INVALID" />
            <TextFilter of="ref" label={say('Ref')} />
            <TextFilter
              of="requestId"
              label={say('Request id')}
              placeholder={say('As in x-request-id')}
              read={readRequestId}
              wrong={say('Not the id of a request')}
            />
            <DayFilters filters={filters} set={set} />
          </SimpleGrid>
          <FilterMarks of={{ route: say('Operation') }} mt="sm" />
        </Box>
        <DataTable
          label={say('Requests')}
          pages={pages}
          rowKey={(r) => r.requestId ?? `${r.at} ${r.keyId} ${r.method} ${r.route} ${r.status} ${r.code}`}
          empty={
            <Empty title={isFiltered ? say('No such request') : say('No requests')}>
              {isFiltered
                ? say('None of the days that are kept is as these filters ask.')
                : say('They appear a few seconds after a program has called with a key.')}
            </Empty>
          }
          columns={[
            { key: 'at', header: say('Time'), cell: (r) => <Stamp at={r.at} /> },
            { key: 'called', header: say('Called'), cell: (r) => <Called row={r} /> },
            { key: 'status', header: say('Answer'), cell: (r) => <Answer row={r} /> },
            { key: 'why', header: say('Why'), cell: (r) => <Why row={r} /> },
            { key: 'ref', header: say('Ref'), cell: (r) => r.ref ?? <Nothing /> },
            { key: 'key', header: say('Key'), cell: (r) => r.keyName ?? <Nothing /> },
            { key: 'client', header: say('Account'), cell: (r) => <ClientName id={r.clientId} />, wideOnly: true },
            {
              key: 'ms',
              header: say('Took'),
              align: 'right',
              cell: (r) => (r.ms === null ? <Nothing /> : say('{ms} ms', { ms: r.ms.toLocaleString(locale) })),
              wideOnly: true,
            },
            {
              key: 'id',
              header: say('Request id'),
              cell: (r) => (r.requestId ? <Id value={r.requestId} what={say('request id')} /> : <Nothing />),
            },
          ]}
        />
      </Panel>
    </>
  );
}

function Called({ row }: { readonly row: Logged }) {
  return (
    <>
      {row.method} {row.route ?? <Nothing />}
      {row.requestId ? null : (
        <Text size="xs" c="dimmed">
          {plural(
            row.requests,
            '{n} more request of this minute, only counted',
            '{n} more requests of this minute, only counted',
          )}
        </Text>
      )}
    </>
  );
}

const Answer = ({ row: { status } }: { readonly row: Logged }) => (
  <StatusBadge status={String(status)} tone={status >= 500 ? 'bad' : status >= 400 ? 'wait' : 'quiet'} />
);

function Why({ row: { code, field, meaning } }: { readonly row: Logged }) {
  if (!code) return <Nothing />;
  return (
    <>
      {code}
      {field ? ` ${say('in {field}', { field })}` : ''}
      {meaning ? (
        <Text size="xs" c="dimmed">
          {meaning}
        </Text>
      ) : null}
    </>
  );
}
