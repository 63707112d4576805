// Sections of a report on calls between networks where both sides report. They compare the records of several clients,
// so no client may see them.

import { average } from '../../../core/cdr/shares.ts';
import { mostLines, sameCallS, sameDurationS } from '../../../core/cdr/thresholds.ts';
import type { ReportRow, ReportSection } from '../../../core/reports/document.ts';
import type { MatchedCall, MatchedDay, MatchKind } from './matching.ts';
import { append, column, emptyList, type Listed, noteOf } from './section-parts.ts';
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

export function matchingSections(s: FindingsScope, days: readonly (readonly MatchedDay[])[]): ReportSection[] {
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
  return [
    {
      name: 'offNetMatching',
      title: 'Calls between networks',
      note: `Calls, not messages, between subscribers of operators that both report here. Two records are one call where caller and receiver are the same and the starts lie within ${sameCallS} s; durations may differ by ${sameDurationS} s. Near-duplicates are left out.`,
      columns: [
        column('operator', 'Operator', 'text'),
        column('other', 'Other operator', 'text'),
        column('matched', 'Agree', 'count'),
        column('differing', 'Durations differ', 'count'),
        column('meanDifference', 'Mean difference, s', 'decimal'),
        column('missingAtOperator', 'Missing at the operator', 'count'),
        column('missingAtOther', 'Missing at the other', 'count'),
      ],
      rows: [...pairs.values()]
        .sort((x, y) => (x.a + x.b < y.a + y.b ? -1 : 1))
        .map(
          (p): ReportRow => ({
            cells: [
              name(p.a),
              name(p.b),
              String(p.counts.MATCHED),
              String(p.counts.DIFFERS),
              average({ units: BigInt(p.differing), scale: 0 }, p.counts.DIFFERS),
              String(p.counts.MISSING - p.missingAtB),
              String(p.missingAtB),
            ],
          }),
        ),
      chart: { kind: 'bar', label: 'other', values: ['matched'] },
    },
    {
      name: 'offNetMissing',
      title: 'Calls that one side does not report',
      note: noteOf(
        'Whose a number is, is taken from the records: a block of seven characters is of the operator that reports calls within it. A ported number is known by its old operator reporting none of its calls.',
        missing,
      ),
      columns: [
        column('callStart', 'Start', 'time'),
        column('reportedBy', 'Reported by', 'text'),
        column('missingAt', 'Missing at', 'text'),
        column('cdrId', 'Id', 'text'),
        column('duration', 'Duration, s', 'count'),
      ],
      rows: missing.listed.slice(0, mostLines).map((c) => ({
        cells: [c.callStart, name(c.a), name(c.b), c.cdrIds[0] ?? null, String(c.durations[0] ?? 0)],
        open: openIds(c.ids),
      })),
    },
    {
      name: 'offNetDiffering',
      title: 'Calls whose durations differ',
      note: noteOf(`By more than ${sameDurationS} s.`, differing),
      columns: [
        column('callStart', 'Start', 'time'),
        column('operator', 'Operator', 'text'),
        column('cdrId', 'Its id', 'text'),
        column('duration', 'Its duration, s', 'count'),
        column('other', 'Other operator', 'text'),
        column('otherCdrId', 'Its id', 'text'),
        column('otherDuration', 'Its duration, s', 'count'),
      ],
      rows: differing.listed.slice(0, mostLines).map((c) => ({
        cells: [
          c.callStart,
          name(c.a),
          c.cdrIds[0] ?? null,
          String(c.durations[0] ?? 0),
          name(c.b),
          c.cdrIds[1] ?? null,
          String(c.durations[1] ?? 0),
        ],
        open: openIds(c.ids),
      })),
    },
  ];
}
