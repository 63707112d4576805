// Sections of a report on how calls went: answers, durations, speech quality, foreign networks, late records.

import { average, percent as shareOf } from '../../../core/cdr/shares.ts';
import { jitterMs, latencyMs, mostLines, packetLossPercent } from '../../../core/cdr/thresholds.ts';
import type { SaidSection } from '../../../core/reports/document.ts';
import { type Column, code, count, date, decimal, percent, section, text } from '../../../core/reports/table.ts';
import { type Said, said } from '../../../core/said.ts';
import type { Delivered } from './delivery.ts';
import { operator } from './section-parts.ts';
import { type Day, type FindingsScope, openCalls } from './slice.ts';
import { foreignNetworks, groupTraffic, otherNetworks, type Traffic, type TrafficOf } from './traffic.ts';

const answers: readonly Column<Traffic>[] = [
  count('attempts', 'Attempts'),
  count('answered', 'Answered'),
  percent('asr', 'Answer-seizure ratio, %', (t) => shareOf(t.answered, t.attempts)),
  percent('ner', 'Network effectiveness ratio, %', (t) => shareOf(t.reached, t.attempts)),
  decimal('acd', 'Average duration, s', (t) => average({ units: BigInt(t.seconds), scale: 0 }, t.answered)),
];

const quality = (of: 'loss' | 'jitter' | 'latency', name: string, title: Said, above: string) => [
  count(`${name}Calls`, said`Calls with ${title}`, (t: Traffic) => t[of].count),
  decimal(`${name}Mean`, said`Mean ${title}`, (t: Traffic) => average(t[of].sum, t[of].count)),
  percent(`${name}Above`, said`Above ${above}, %`, (t: Traffic) => shareOf(t[of].above, t[of].count)),
];

/** @param nearDuplicates their number by account */
export function trafficSections(
  s: FindingsScope,
  days: readonly Day[],
  all: readonly TrafficOf[],
  delivered: Delivered,
  nearDuplicates: ReadonlyMap<string, number>,
): SaidSection[] {
  return [
    records(s, all, delivered, nearDuplicates),
    foreign(s, all),
    answersByDay(s, days, all),
    answersByNetwork(s, all),
    speech(s, all),
  ];
}

const records = (
  s: FindingsScope,
  all: readonly TrafficOf[],
  { files }: Delivered,
  nearDuplicates: ReadonlyMap<string, number>,
): SaidSection =>
  section(groupTraffic(all, 'account'), {
    name: 'records',
    title: 'Records by operator',
    note: 'Records whose calls began in the period. Late ones came more than seven days after their call. Repeated lines stand in files of the period; records sent twice by the interface are not counted.',
    columns: [
      ...operator(s),
      count('records', 'Records'),
      count('late', 'Late'),
      count('duplicates', 'Lines repeated', (t) =>
        files.filter((f) => f.account === t.account).reduce((n, f) => n + f.duplicate, 0),
      ),
      count('nearDuplicates', 'Near-duplicates', (t) => nearDuplicates.get(t.account) ?? 0),
    ],
    open: (t) => openCalls(s, t.account, s.period),
    chart: { kind: 'bar', label: 'operator', values: ['records'] },
  });

const foreign = (s: FindingsScope, all: readonly TrafficOf[]): SaidSection =>
  section(foreignNetworks(s, all).slice(0, mostLines), {
    name: 'foreignNetworks',
    title: 'Networks of others',
    note: "Names in network_provider that are not the account's own: not its registered network, nor, where it is registered under another kind of name, one that a fifth of its records bear. Roaming makes them lawful.",
    columns: [
      ...operator(s),
      text('network', 'Network'),
      count('records', 'Records'),
      percent('share', 'Of all records, %', (n) => shareOf(n.records, n.ofAll)),
    ],
    open: (n) => openCalls(s, n.account, s.period, { networkProvider: n.network }),
  });

const answersByDay = (s: FindingsScope, days: readonly Day[], all: readonly TrafficOf[]): SaidSection =>
  section(
    groupTraffic(all.filter(isCalled), 'account', 'date').sort((a, b) =>
      `${a.account} ${a.date}` < `${b.account} ${b.date}` ? -1 : 1,
    ),
    {
      name: 'answersByDay',
      title: 'Answers by day',
      note: 'Of voice, video and calls over IP. Answered are those put through, as their status says; where it says nothing known, or that the call broke off, those that lasted. The average is over answered calls.',
      columns: [...operator(s), date('day', 'Day', (t) => t.date), ...answers],
      open: (t) => {
        const day = days.find((d) => d.date === t.date);
        return day && openCalls(s, t.account, day);
      },
      chart: { kind: 'line', label: 'day', values: ['asr'] },
    },
  );

const answersByNetwork = (s: FindingsScope, all: readonly TrafficOf[]): SaidSection =>
  section(byNetwork(all.filter(isCalled)), {
    name: 'answersByNetwork',
    title: 'Answers by network and type of call',
    columns: [...operator(s), ...network, ...answers],
    open: openNetwork(s),
  });

const speech = (s: FindingsScope, all: readonly TrafficOf[]): SaidSection =>
  section(byNetwork(all.filter((t) => t.loss.count + t.jitter.count + t.latency.count > 0)), {
    name: 'voiceQuality',
    title: 'Speech quality',
    note: said`Means over the records that give a value. Speech is held impaired above ${packetLossPercent} % of packets lost, ${jitterMs} ms of jitter and ${latencyMs} ms of latency.`,
    columns: [
      ...operator(s),
      ...network,
      ...quality('loss', 'packetLoss', said`packet loss, %`, `${packetLossPercent} %`),
      ...quality('jitter', 'jitter', said`jitter, ms`, `${jitterMs} ms`),
      ...quality('latency', 'latency', said`latency, ms`, `${latencyMs} ms`),
    ],
    open: openNetwork(s),
  });

const isCalled = (t: Traffic) => t.attempts > 0;
const network = [text('network', 'Network'), code('callType', 'Type')];

/** Groups with most records first. The list is limited, since records could name any number of networks. */
const byNetwork = (all: readonly TrafficOf[]) =>
  groupTraffic(all, 'account', 'network', 'callType')
    .sort((a, b) => b.records - a.records || (orderOf(a) < orderOf(b) ? -1 : 1))
    .slice(0, mostLines);

type OfNetwork = Pick<TrafficOf, 'account' | 'network' | 'callType'>;
const orderOf = (t: OfNetwork) => [t.account, t.network, t.callType].join(' ');
/** No filter finds the calls of several networks. */
const openNetwork = (s: FindingsScope) => (t: OfNetwork) =>
  t.network === otherNetworks
    ? undefined
    : openCalls(s, t.account, s.period, { networkProvider: t.network, callType: t.callType });
