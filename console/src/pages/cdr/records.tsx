// The page of call detail records, newest first, filtered by call type, network, device, caller and the day on which the call began.

import { AnyOf } from '../../components/any-of.tsx';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DayFilters } from '../../components/day-filters.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterMarks } from '../../components/filter-marks.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { SubPages } from '../../components/sub-pages.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { isDay, wholeDays } from '../../data/days.ts';
import { among, useFilters } from '../../data/path.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { callTypes, cdrPages, duration } from './parts.ts';

/** Filters that links of reports set and that have no input on the page. */
const marks = {
  ids: say('Records'),
  device: say('Device'),
  clientId: say('Account'),
  callFrom: say('Calls from'),
  callTo: say('Calls before'),
  from: say('Recorded from'),
  to: say('Recorded before'),
} as const;
const carried = ['ids', 'device', 'clientId'] as const;
/** The fields' days are those on which calls began, the only time in the list. */
const callDays = { from: 'callFrom', to: 'callTo' } as const;

export default function Records() {
  const [filters, setFilters] = useFilters();
  const callType = among(callTypes, filters.callType);
  const { caller, networkProvider, from, to, zone } = filters;
  const calls = wholeDays({ from: filters.callFrom, to: filters.callTo, zone });
  const pages = usePages('listCdrs', {
    ...Object.fromEntries(carried.map((k) => [k, filters[k]])),
    // The recorded time is named by links, as moments. Whole days of it have no field and no mark, and are left out.
    ...wholeDays({ from: isDay(from) ? undefined : from, to: isDay(to) ? undefined : to, zone }),
    ...{ callFrom: calls.from, callTo: calls.to },
    callType,
    caller,
    networkProvider,
  });
  return (
    <>
      <PageHeader title={say('Records')} above={[{ title: say('Call records'), to: '/cdr' }]} />
      <SubPages label={say('Pages of call records')} pages={cdrPages} />
      <FilterBar>
        <AnyOf
          of="callType"
          label={say('Kind of call')}
          clear={say('Any kind of call')}
          data={callTypes.map((t) => ({ value: t, label: inWords(t) }))}
        />
        <TextFilter of="caller" label={say('Caller')} placeholder="+234…" />
        <TextFilter of="networkProvider" label={say('Network')} />
        <DayFilters filters={filters} set={setFilters} names={callDays} />
      </FilterBar>
      <FilterMarks of={marks} mb="md" />
      <Panel title={say('Call detail records')} flush>
        <DataTable
          label={say('Call detail records')}
          pages={pages}
          rowKey={(c) => c.cdrId}
          rowTo={(c) => `/cdr/records/${c.cdrId}`}
          empty={
            <Empty title={say('No such call record')}>
              {say('None was recorded, or none is as these filters ask.')}
            </Empty>
          }
          columns={[
            {
              key: 'id',
              header: 'cdr_id',
              cell: (c) =>
                c.withdrawal ? (
                  <>
                    {c.record.cdr_id} <StatusBadge status="withdrawn" tone="note" label={say('withdrawn')} />
                  </>
                ) : (
                  c.record.cdr_id
                ),
            },
            { key: 'type', header: say('Kind'), cell: (c) => inWords(c.callType) },
            { key: 'client', header: say('Account'), cell: (c) => <ClientName id={c.clientId} />, wideOnly: true },
            { key: 'from', header: say('Caller'), cell: (c) => c.record.caller_number },
            { key: 'to', header: say('Called'), cell: (c) => c.record.receiver_number },
            { key: 'at', header: say('Began'), cell: (c) => <Stamp at={c.record.call_start_time} /> },
            {
              key: 'length',
              header: say('Duration'),
              align: 'right',
              cell: (c) => duration(c.record.call_duration_seconds),
            },
            {
              key: 'cost',
              header: say('Cost'),
              align: 'right',
              cell: (c) => (
                <Money
                  amount={c.record.billing_information.call_cost}
                  currency={c.record.billing_information.currency}
                />
              ),
            },
            {
              key: 'warnings',
              header: say('Warnings'),
              cell: (c) =>
                c.warnings.length > 0 ? (
                  <StatusBadge status="warned" tone="wait" label={String(c.warnings.length)} />
                ) : (
                  say('none')
                ),
            },
          ]}
        />
      </Panel>
    </>
  );
}
