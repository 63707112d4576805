// Sections of a report on how calls went: answers, durations, speech quality, foreign networks, late records.

import { percent } from '../../../core/cdr/shares.ts';
import { jitterMs, latencyMs, mostLines, packetLossPercent } from '../../../core/cdr/thresholds.ts';
import type { ReportColumn, ReportSection } from '../../../core/reports/document.ts';
import type { Delivered } from './delivery.ts';
import { account, column, operatorCells } from './section-parts.ts';
import { type Day, type FindingsScope, openCalls } from './slice.ts';
import { answerCells, foreignNetworks, groupTraffic, qualityCells, type TrafficOf } from './traffic.ts';

const answers: readonly ReportColumn[] = [
  column('attempts', 'Attempts', 'count'),
  column('answered', 'Answered', 'count'),
  column('asr', 'Answer-seizure ratio, %', 'percent'),
  column('acd', 'Average duration, s', 'decimal'),
];

const quality = (name: string, title: string, above: string): ReportColumn[] => [
  column(`${name}Calls`, `Calls with ${title}`, 'count'),
  column(`${name}Mean`, `Mean ${title}`, 'decimal'),
  column(`${name}Above`, `Above ${above}, %`, 'percent'),
];

/** @param nearDuplicates their number by account */
export function trafficSections(
  s: FindingsScope,
  days: readonly Day[],
  all: readonly TrafficOf[],
  delivered: Delivered,
  nearDuplicates: ReadonlyMap<string, number>,
): ReportSection[] {
  return [
    records(s, all, delivered, nearDuplicates),
    foreign(s, all),
    answersByDay(s, days, all),
    answersByNetwork(s, all),
    speech(s, all),
  ];
}

function records(
  s: FindingsScope,
  all: readonly TrafficOf[],
  { files }: Delivered,
  nearDuplicates: ReadonlyMap<string, number>,
): ReportSection {
  const duplicates = (id: string) => files.filter((f) => f.account === id).reduce((n, f) => n + f.duplicate, 0);
  return {
    name: 'records',
    title: 'Records by operator',
    note: 'Records whose calls began in the period. Late ones came more than seven days after their call. Repeated lines stand in files of the period; records sent twice by the interface are not counted.',
    columns: [
      ...account,
      column('records', 'Records', 'count'),
      column('late', 'Late', 'count'),
      column('duplicates', 'Lines repeated', 'count'),
      column('nearDuplicates', 'Near-duplicates', 'count'),
    ],
    rows: groupTraffic(all, (t) => [t.account]).map(([[id = ''], t]) => ({
      cells: [
        ...operatorCells(s, id),
        String(t.records),
        String(t.late),
        String(duplicates(id)),
        String(nearDuplicates.get(id) ?? 0),
      ],
      open: openCalls(s, id, s.period),
    })),
    chart: { kind: 'bar', label: 'operator', values: ['records'] },
  };
}

function foreign(s: FindingsScope, all: readonly TrafficOf[]): ReportSection {
  return {
    name: 'foreignNetworks',
    title: 'Networks of others',
    note: "Names in network_provider that are not the account's own: not its registered network, nor, where it is registered under another kind of name, one that a fifth of its records bear. Roaming makes them lawful.",
    columns: [
      ...account,
      column('network', 'Network', 'text'),
      column('records', 'Records', 'count'),
      column('share', 'Of all records, %', 'percent'),
    ],
    rows: foreignNetworks(s, all)
      .slice(0, mostLines)
      .map((n) => ({
        cells: [...operatorCells(s, n.account), n.network, String(n.records), percent(n.records, n.ofAll)],
        open: openCalls(s, n.account, s.period, { networkProvider: n.network }),
      })),
  };
}

function answersByDay(s: FindingsScope, days: readonly Day[], all: readonly TrafficOf[]): ReportSection {
  const calls = all.filter((t) => t.attempts > 0);
  return {
    name: 'answersByDay',
    title: 'Answers by day',
    note: 'Of voice, video and calls over IP. Answered are those put through, as their status says; where none is given, those that lasted. The average is over answered calls.',
    columns: [...account, column('day', 'Day', 'date'), ...answers],
    rows: groupTraffic(calls, (t) => [t.account, t.date])
      .sort(([a], [b]) => (a.join(' ') < b.join(' ') ? -1 : 1))
      .map(([[id = '', date = ''], t]) => {
        const day = days.find((d) => d.date === date);
        return {
          cells: [...operatorCells(s, id), date, ...answerCells(t)],
          ...(day ? { open: openCalls(s, id, day) } : {}),
        };
      }),
    chart: { kind: 'line', label: 'day', values: ['asr'] },
  };
}

function answersByNetwork(s: FindingsScope, all: readonly TrafficOf[]): ReportSection {
  return {
    name: 'answersByNetwork',
    title: 'Answers by network and type of call',
    columns: [...account, column('network', 'Network', 'text'), column('callType', 'Type', 'text'), ...answers],
    rows: byNetwork(all.filter((t) => t.attempts > 0)).map(([[id = '', network = '', callType = ''], t]) => ({
      cells: [...operatorCells(s, id), network, callType, ...answerCells(t)],
      open: openCalls(s, id, s.period, { networkProvider: network, callType }),
    })),
  };
}

function speech(s: FindingsScope, all: readonly TrafficOf[]): ReportSection {
  return {
    name: 'voiceQuality',
    title: 'Speech quality',
    note: `Means over the records that give a value. Speech is held impaired above ${packetLossPercent} % of packets lost, ${jitterMs} ms of jitter and ${latencyMs} ms of latency.`,
    columns: [
      ...account,
      column('network', 'Network', 'text'),
      column('callType', 'Type', 'text'),
      ...quality('packetLoss', 'packet loss, %', `${packetLossPercent} %`),
      ...quality('jitter', 'jitter, ms', `${jitterMs} ms`),
      ...quality('latency', 'latency, ms', `${latencyMs} ms`),
    ],
    rows: byNetwork(all.filter((t) => t.loss.count + t.jitter.count + t.latency.count > 0)).map(
      ([[id = '', network = '', callType = ''], t]) => ({
        cells: [...operatorCells(s, id), network, callType, ...qualityCells(t)],
        open: openCalls(s, id, s.period, { networkProvider: network, callType }),
      }),
    ),
  };
}

/** Groups with most records first. The list is limited, since records could name any number of networks. */
const byNetwork = (all: readonly TrafficOf[]) =>
  groupTraffic(all, (t) => [t.account, t.network, t.callType])
    .sort(([a, x], [b, y]) => y.records - x.records || (a.join(' ') < b.join(' ') ? -1 : 1))
    .slice(0, mostLines);
