// Sections of a report on single calls and callers: near-duplicates, calls of one device at the same time, shared
// devices, conspicuous callers. All are indicators with the figures behind them, never verdicts.

import { standout } from '../../../core/cdr/standouts.ts';
import { mostLines, nearDuplicateS, outsizedCallsADay, sharedDeviceNumbers } from '../../../core/cdr/thresholds.ts';
import type { SaidSection } from '../../../core/reports/document.ts';
import { count, money, section, text, time } from '../../../core/reports/table.ts';
import { said } from '../../../core/said.ts';
import type { CallerOf } from './callers.ts';
import type { Overlap, SharedDevice } from './devices.ts';
import type { NearDuplicate } from './repeats.ts';
import { type Listed, noteOf, operator } from './section-parts.ts';
import { type FindingsScope, openCalls, openIds } from './slice.ts';

export const nearDuplicateSection = (s: FindingsScope, found: Listed<NearDuplicate>): SaidSection =>
  section(found.listed, {
    name: 'nearDuplicates',
    title: 'Near-duplicates',
    note: noteOf(
      said`Calls and sessions between the same numbers, as long as each other, that begin within ${nearDuplicateS} s under two ids of one operator. The value is that of the later record. Messages are left out: a long one is sent in parts.`,
      found,
    ),
    columns: [
      ...operator(s),
      time('callStart', 'Start'),
      text('first', 'First id', (d) => d.firstCdrId),
      text('again', 'Later id', (d) => d.againCdrId),
      money('value', 'Value', (d) => d.cost),
      text('currency', 'Currency'),
    ],
    open: (d) => openIds([d.first, d.again]),
  });

export const overlapSection = (s: FindingsScope, found: Listed<Overlap>): SaidSection =>
  section(found.listed, {
    name: 'overlappingCalls',
    title: 'Calls of one device at once',
    note: noteOf(
      'An indicator, not a verdict: calls that begin while the same IMEI is in another one. Waiting and conference calls look so, and a copied IMEI does. The IMEI is shown as a keyed hash.',
      found,
    ),
    columns: [
      ...operator(s),
      time('callStart', 'Start of the later'),
      text('device', 'IMEI, hashed'),
      text('second', 'Its id', (o) => o.secondCdrId),
      count('seconds', 'Both last, s'),
    ],
    open: (o) => openIds([o.first, o.second]),
  });

export const sharedDeviceSection = (s: FindingsScope, found: readonly SharedDevice[]): SaidSection =>
  section(found, {
    name: 'sharedDevices',
    title: 'Devices of many numbers',
    note: said`An indicator, not a verdict: ${sharedDeviceNumbers} numbers or more call from one IMEI in the period. SIM-boxes look so, and a phone that is lent or a shop does. The IMEI is shown as a keyed hash, with the first hundred numbers, each by its mask and keyed hash.`,
    columns: [
      text('device', 'IMEI, hashed'),
      count('count', 'Numbers'),
      count('calls', 'Calls'),
      text('numbers', 'Which', (d) => d.shown.join(', ')),
    ],
    open: ({ device }) => openCalls(s, s.accounts.length === 1 ? s.accounts[0] : undefined, s.period, { device }),
  });

/** @param busy days on which a number made more calls than a person makes */
export function standoutSection(
  s: FindingsScope,
  busy: readonly CallerOf[],
  shared: readonly SharedDevice[],
): SaidSection {
  const sharing = new Set(shared.flatMap((d) => d.numbers));
  const rows = [...byNumber(busy)].flatMap(([number, days]) => {
    const found = standout(days, sharing.has(number));
    return found && days[0] ? [{ number, shown: days[0].shown, account: days[0].account, ...found }] : [];
  });
  rows.sort((a, b) => b.made - a.made || (a.shown < b.shown ? -1 : 1));
  const list = { count: rows.length, listed: rows.slice(0, mostLines) };
  return section(list.listed, {
    name: 'standoutCallers',
    title: 'Callers that stand out',
    note: noteOf(
      said`Indicators, not verdicts: subscribers that make ${outsizedCallsADay} calls or more on a day, from one place to ever other numbers (STATIC_LOCATION), while hardly anybody calls them (ONE_WAY), or from a device of many numbers (SHARED_IMEI). SIM-boxes show all three; call centres, campaigns and dispatchers show one or two. A caller whose records name neither place nor device is not looked at. A number is shown by its mask and keyed hash.`,
      list,
    ),
    columns: [
      ...operator(s),
      text('number', 'Number', (c) => c.shown),
      text('indicators', 'Indicators', (c) => c.indicators.join(' ')),
      count('days', 'Days'),
      count('made', 'Calls made on them'),
      count('most', 'Most on a day'),
      count('receivers', 'Most numbers called'),
      count('places', 'Most places'),
      count('received', 'Calls received'),
    ],
    open: (c) => openCalls(s, c.account, s.period, { caller: c.number }),
  });
}

/**
 * Groups days by number. If several accounts report a number on a day, the one with most of its calls is used: the
 * others see only calls to their own subscribers.
 */
function byNumber(busy: readonly CallerOf[]): Map<string, CallerOf[]> {
  const days = new Map<string, CallerOf>();
  for (const c of busy) {
    const key = `${c.number} ${c.date}`;
    const other = days.get(key);
    if (!other || c.made > other.made) days.set(key, c);
  }
  const numbers = new Map<string, CallerOf[]>();
  for (const c of days.values()) numbers.set(c.number, [...(numbers.get(c.number) ?? []), c]);
  return numbers;
}
