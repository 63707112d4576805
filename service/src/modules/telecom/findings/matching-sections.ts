// Sections of a report on calls between networks where both sides report. They compare the records of several clients,
// so no client may see them.

import { average } from '../../../core/cdr/shares.ts';
import { mostLines, sameCallS, sameDurationS } from '../../../core/cdr/thresholds.ts';
import type { SaidSection } from '../../../core/reports/document.ts';
import { count, decimal, section, text, time } from '../../../core/reports/table.ts';
import { said } from '../../../core/said.ts';
import type { MatchedCall, MatchedDay, MatchKind } from './matching.ts';
import { append, emptyList, type Listed, noteOf } from './section-parts.ts';
import { accountOf, type FindingsScope, openIds } from './slice.ts';

interface Pair {
  readonly a: string;
  readonly b: string;
  readonly counts: Record<MatchKind, number>;
  /** Number of calls that `b` does not report. */
  missingAtB: number;
  differing: number;
}

interface FoundCall extends MatchedCall {
  readonly a: string;
  readonly b: string;
}

export function matchingSections(s: FindingsScope, days: readonly (readonly MatchedDay[])[]): SaidSection[] {
  const pairs = new Map<string, Pair>();
  const missing: Listed<FoundCall> = emptyList();
  const differing: Listed<FoundCall> = emptyList();
  for (const m of days.flat()) {
    const [a, b] = m.a < m.b ? [m.a, m.b] : [m.b, m.a];
    const pair = pairs.get(a + b) ?? {
      a,
      b,
      counts: { MATCHED: 0, DIFFERS: 0, MISSING: 0 },
      missingAtB: 0,
      differing: 0,
    };
    pairs.set(a + b, pair);
    pair.counts[m.kind] += m.count;
    if (m.kind === 'MISSING' && m.b === b) pair.missingAtB += m.count;
    if (m.kind === 'DIFFERS') pair.differing += m.seconds;
    const listed = m.calls.map((c) => ({ ...c, a: m.a, b: m.b }));
    if (m.kind !== 'MATCHED') append(m.kind === 'MISSING' ? missing : differing, { count: m.count, listed });
  }
  const name = (id: string) => accountOf(s, id).name;
  const calls = (list: Listed<FoundCall>) => list.listed.slice(0, mostLines);
  return [
    section(
      [...pairs.values()].sort((x, y) => (x.a + x.b < y.a + y.b ? -1 : 1)),
      {
        name: 'offNetMatching',
        title: 'Calls between networks',
        note: said`Calls, not messages, between subscribers of operators that both report here. Two records are one call where caller and receiver are the same and the starts lie within ${sameCallS} s; durations may differ by ${sameDurationS} s. Near-duplicates are left out.`,
        columns: [
          text('operator', 'Operator', (p) => name(p.a)),
          text('other', 'Other operator', (p) => name(p.b)),
          count('matched', 'Agree', (p) => p.counts.MATCHED),
          count('differing', 'Durations differ', (p) => p.counts.DIFFERS),
          decimal('meanDifference', 'Mean difference, s', (p) =>
            average({ units: BigInt(p.differing), scale: 0 }, p.counts.DIFFERS),
          ),
          count('missingAtOperator', 'Missing at the operator', (p) => p.counts.MISSING - p.missingAtB),
          count('missingAtOther', 'Missing at the other', (p) => p.missingAtB),
        ],
        chart: { kind: 'bar', label: 'other', values: ['matched'] },
      },
    ),
    section(calls(missing), {
      name: 'offNetMissing',
      title: 'Calls that one side does not report',
      note: noteOf(
        'Whose a number is, is taken from the records: a block of seven characters is of the operator that reports calls within it. A ported number is known by its old operator reporting none of its calls.',
        missing,
      ),
      columns: [
        time('callStart', 'Start'),
        text('reportedBy', 'Reported by', (c) => name(c.a)),
        text('missingAt', 'Missing at', (c) => name(c.b)),
        text('cdrId', 'Id', (c) => c.cdrIds[0]),
        count('duration', 'Duration, s', (c) => c.durations[0] ?? 0),
      ],
      open: (c) => openIds(c.ids),
    }),
    section(calls(differing), {
      name: 'offNetDiffering',
      title: 'Calls whose durations differ',
      note: noteOf(said`By more than ${sameDurationS} s.`, differing),
      columns: [
        time('callStart', 'Start'),
        text('operator', 'Operator', (c) => name(c.a)),
        text('cdrId', 'Its id', (c) => c.cdrIds[0]),
        count('duration', 'Its duration, s', (c) => c.durations[0] ?? 0),
        text('other', 'Other operator', (c) => name(c.b)),
        text('otherCdrId', "Other operator's id", (c) => c.cdrIds[1]),
        count('otherDuration', "Other operator's duration, s", (c) => c.durations[1] ?? 0),
      ],
      open: (c) => openIds(c.ids),
    }),
  ];
}
