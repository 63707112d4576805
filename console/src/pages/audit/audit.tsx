// The audit log: who did what, filtered by kind, person and day, and the seal that shows nothing was changed since.

import { Select, Stack } from '@mantine/core';
import { AnyOf } from '../../components/any-of.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DayFilters } from '../../components/day-filters.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterMarks } from '../../components/filter-marks.tsx';
import { Id } from '../../components/id.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { useAccountNames, useAuthorities, useIsTenant } from '../../data/clients.ts';
import { wholeDays } from '../../data/days.ts';
import { useFilters } from '../../data/path.ts';
import { useByWhom, usePeople } from '../../data/people.ts';
import { usePsp } from '../../data/psp.tsx';
import { pageOf } from '../../data/psp-address.ts';
import { most, usePages } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import { Checkpoint } from './checkpoint.tsx';
import { Deed } from './entries.tsx';
import { kinds, pageOfEntry, readByAuthority, recordKinds } from './words.ts';

const choices = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

/** Filters of links, which have no field. */
const marks = {
  clientId: say('Account'),
  resource: say('About'),
  from: say('Recorded from'),
  to: say('Recorded before'),
} as const;

export default function Audit() {
  const { ready, isOperator } = usePsp();
  const [filters, setFilters] = useFilters();
  const byWhom = useByWhom();
  const people = usePeople();
  const nameOf = useAccountNames();
  const isTenant = useIsTenant();
  const authorities = useAuthorities();
  const records = ready && filters.records === 'true' ? ('true' as const) : ('false' as const);
  const { actor } = filters;
  const asked = {
    kind: filters.kind,
    actor,
    clientId: filters.clientId,
    resource: filters.resource,
    records,
    ...wholeDays(filters),
  };
  // What an authority read is in the entry's own data.
  const pages = usePages('listJournal', asked, {
    ...(filters.kind === readByAuthority ? { expand: 'data' } : {}),
    // The entries of an authority are in its own journal, not in that of the chosen PSP.
    asOperator: authorities.has(filters.clientId ?? ''),
  });
  const who = [
    { value: 'system', label: say('The service') },
    ...people.map((p) => ({ value: p.userId, label: `${p.name} (${p.email})` })),
  ];
  return (
    <>
      <PageHeader
        title={say('Audit')}
        lead={say(
          'Every act is an entry of the journal, with who did it and why. The journal is append-only and sealed about once a second.',
        )}
      />
      <Stack gap="lg">
        <div>
          <FilterBar>
            <AnyOf
              of="kind"
              label={say('What')}
              any={say('Anything')}
              searchable
              data={[
                { group: say('Acts'), items: choices(kinds) },
                ...(ready ? [{ group: say('Records'), items: choices(recordKinds) }] : []),
              ]}
              nothingFoundMessage={say('No kind of entry has this word')}
            />
            <AnyOf
              of="actor"
              label={say('Who')}
              any={say('Anybody')}
              searchable
              data={actor && !who.some((w) => w.value === actor) ? [{ value: actor, label: actor }, ...who] : who}
              nothingFoundMessage={
                people.length < most ? say('Nobody of this name') : say('Only the newest are listed here')
              }
            />
            <DayFilters filters={filters} set={setFilters} />
            {ready ? (
              <Select
                label={say('Entries')}
                allowDeselect={false}
                data={[
                  { value: 'false', label: say('Acts of people') },
                  { value: 'true', label: say('Records too') },
                ]}
                value={records}
                onChange={(v) => setFilters({ records: v === 'true' ? 'true' : undefined })}
              />
            ) : null}
          </FilterBar>
          <FilterMarks of={marks} mb="md" />
          <Panel title={say('Who did what')} flush>
            <DataTable
              label={say('Entries of the journal')}
              pages={pages}
              rowKey={(e) => e.eventId}
              rowTo={(e) => {
                if (authorities.has(e.pspId)) return `/authorities/${e.pspId}`;
                const to = pageOfEntry(e);
                return to && isOperator && isTenant(e.pspId) ? pageOf(e.pspId, to) : to;
              }}
              empty={
                <Empty title={say('No entry matches')}>
                  {say('Acts of people appear here the moment they are done.')}
                </Empty>
              }
              columns={[
                {
                  key: 'what',
                  header: say('What'),
                  cell: (e) => (
                    <Deed entry={e} by={byWhom(e.actor)} account={nameOf(e.clientId) ?? say('an account')} />
                  ),
                },
                { key: 'at', header: say('When'), cell: (e) => <Stamp at={e.at} /> },
                { key: 'who', header: say('Who'), cell: (e) => byWhom(e.actor) },
                { key: 'why', header: say('Why'), cell: (e) => e.reason ?? <Nothing /> },
                {
                  key: 'of',
                  header: say('Account'),
                  cell: (e) => nameOf(e.clientId) ?? <Id value={e.clientId} what={say('account id')} />,
                  wideOnly: true,
                },
                { key: 'seq', header: say('Number'), align: 'right', cell: (e) => e.seq.toLocaleString(locale) },
              ]}
            />
          </Panel>
        </div>
        {ready ? <Checkpoint /> : null}
      </Stack>
    </>
  );
}
