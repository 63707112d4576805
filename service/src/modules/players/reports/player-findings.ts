// The report of findings about players: what deposits, wagers, payouts, withdrawals and baskets of a month say against
// each other. It names records, never persons.

import { type IdKind, type PspId, toWire } from '../../../core/ids.ts';
import type { Text } from '../../../core/reports/document.ts';
import { clientId, code, count, money, section, text, time } from '../../../core/reports/table.ts';
import { phrase, said } from '../../../core/said.ts';
import type { Database } from '../../../platform/database.ts';
import { reportKind } from '../../kernel/report.ts';
import { PeriodParameters, periodFacts, readPeriod } from '../../kernel/report-period.ts';
import { ofPlayer } from '../../search/index.ts';

/** Lines shown of each finding; its number and sums count all. */
const mostLines = 5_000;
/** A basket may be paid this long after it was submitted, in hours. */
const basketHours = 24;

interface Line {
  readonly finding: string;
  readonly account: string;
  readonly kind: IdKind;
  readonly id: string;
  readonly other_kind: IdKind | null;
  readonly other: string | null;
  readonly currency: string;
  readonly amount: string;
  readonly at: string;
  /** Of all lines of the finding and currency. */
  readonly lines: number;
  readonly sum: string;
}

/** Parameters: 1 PSP, 2 client or null, 3 and 4 first moment and moment after the last, 5 latest moment of a basket. */
const within = (t: string) =>
  `${t}.psp_id = $1 AND ($2::uuid IS NULL OR ${t}.account_id = $2) AND ${t}.id >= uuid_floor($3) AND ${t}.id < uuid_floor($4)`;
const approved = (t: string, ...kinds: string[]) =>
  `${t}.status = 'APPROVED' AND ${t}.kind IN (${kinds.map((k) => `'${k}'`).join(', ')})`;
const deposits = ['deposit', 'cryptoDeposit'];
const withdrawals = ['withdrawal', 'cryptoWithdrawal'];

const line = (
  of: { finding: string; t: string; kind: IdKind; otherKind?: IdKind; other?: string; amount?: string },
  from: string,
) =>
  `SELECT '${of.finding}' AS finding, ${of.t}.account_id, '${of.kind}' AS kind, ${of.t}.id,
     ${of.otherKind ? `'${of.otherKind}'` : 'NULL'} AS other_kind, ${of.other ?? 'NULL::uuid'} AS other,
     ${of.t}.currency, ${of.amount ?? `${of.t}.amount`} AS amount, ${of.t}.created_at AS at FROM ${from}`;

/** Lookups of a record, and those of others that name its player. @param join further tables */
const shared = (record: string, join = ''): string =>
  `lookups k JOIN lookups o ON o.psp_id = $1 AND ${ofPlayer('o')} AND o.hash = k.hash ${join}
     WHERE k.psp_id = $1 AND ${ofPlayer('k')} AND k.record_id = ${record}`;
/** Whether two records name one player. */
const samePlayer = (a: string, b: string): string => `EXISTS (SELECT FROM ${shared(a)} AND o.record_id = ${b})`;
/** Whether the player of a record has one of a kind with the same operator. @param join the records that count */
const recordOf = (record: string, kind: string, join: string): string =>
  `EXISTS (SELECT FROM ${shared(record, join)} AND o.record_kind = '${kind}' AND o.account_id = k.account_id)`;

/** The findings, each with its meaning and its statement. */
const findings: readonly (readonly [name: string, meaning: Text, sql: string])[] = [
  [
    'PAYOUT_WITHOUT_WAGER',
    'A payout whose wager is not there.',
    line(
      { finding: 'PAYOUT_WITHOUT_WAGER', t: 'p', kind: 'payout' },
      `payouts p WHERE ${within('p')}
         AND NOT EXISTS (SELECT 1 FROM wagers w WHERE w.psp_id = $1 AND w.id = p.wager_id)`,
    ),
  ],
  [
    'PAYOUT_TO_OTHER',
    'A payout to another customer than the one who placed the wager: with another e-mail and no telephone number in common.',
    line(
      { finding: 'PAYOUT_TO_OTHER', t: 'p', kind: 'payout', otherKind: 'wager', other: 'w.id' },
      `payouts p JOIN wagers w ON w.psp_id = $1 AND w.id = p.wager_id WHERE ${within('p')} AND w.subject <> p.subject
         AND NOT ${samePlayer('w.id', 'p.id')}`,
    ),
  ],
  [
    'NO_PLAY',
    'Deposits and withdrawals of a customer who placed no wager with the operator in the month: the last withdrawal, after a deposit.',
    line(
      {
        finding: 'NO_PLAY',
        t: 't',
        kind: 'transaction',
        otherKind: 'transaction',
        other: 'm.deposit',
        amount: 'm.amount',
      },
      `(SELECT t.account_id, t.subject, t.currency, sum(t.amount) FILTER (WHERE t.kind IN ('withdrawal', 'cryptoWithdrawal')) AS amount,
          (array_agg(t.id ORDER BY t.id DESC) FILTER (WHERE t.kind IN ('withdrawal', 'cryptoWithdrawal')))[1] AS withdrawal,
          (array_agg(t.id ORDER BY t.id) FILTER (WHERE t.kind IN ('deposit', 'cryptoDeposit')))[1] AS deposit
        FROM transactions t WHERE ${within('t')} AND t.subject IS NOT NULL AND ${approved('t', ...deposits, ...withdrawals)}
        GROUP BY t.account_id, t.subject, t.currency) m
       JOIN accounts a ON a.psp_id = $1 AND a.id = m.account_id AND a.classification LIKE 'IGAMING%'
       JOIN transactions t ON t.psp_id = $1 AND t.id = m.withdrawal
       WHERE m.deposit < m.withdrawal AND NOT EXISTS (
         SELECT 1 FROM wagers w WHERE ${within('w')} AND w.account_id = m.account_id AND w.subject = m.subject)
         AND NOT ${recordOf('m.withdrawal', 'wager', `JOIN wagers w ON w.psp_id = $1 AND w.id = o.record_id AND ${within('w')}`)}`,
    ),
  ],
  [
    'CHAIN_HASH_TWICE',
    'A transfer on a chain that is given for a second deposit.',
    // By either form of a hash: a record is named once.
    `SELECT DISTINCT ON (id) * FROM (${line(
      { finding: 'CHAIN_HASH_TWICE', t: 't', kind: 'transaction', otherKind: 'transaction', other: 'f.first' },
      `lookups l JOIN LATERAL (
         SELECT o.record_id AS first FROM lookups o JOIN transactions x ON x.psp_id = $1 AND x.id = o.record_id AND x.status = 'APPROVED' AND x.kind = 'cryptoDeposit'
         WHERE o.psp_id = $1 AND o.kind = 'chainHash' AND o.hash = l.hash AND o.record_id < l.record_id ORDER BY o.record_id LIMIT 1) f ON true
       JOIN transactions t ON t.psp_id = $1 AND t.id = l.record_id AND t.status = 'APPROVED' AND t.kind = 'cryptoDeposit'
       WHERE l.psp_id = $1 AND l.kind = 'chainHash' AND l.record_id >= uuid_floor($3) AND l.record_id < uuid_floor($4) AND ${within('t')}`,
    )}) twice ORDER BY id, other`,
  ],
  [
    'BASKET_NOT_PAID',
    said`A basket without a verified transaction ${basketHours} hours after it was submitted.`,
    line(
      { finding: 'BASKET_NOT_PAID', t: 'b', kind: 'basket' },
      `baskets b WHERE ${within('b')} AND b.status = 'PENDING' AND b.created_at < $5`,
    ),
  ],
  [
    'WAGER_WITHOUT_DEPOSIT',
    'Wagers of a customer who never made a deposit with the operator: the first of the month.',
    line(
      { finding: 'WAGER_WITHOUT_DEPOSIT', t: 'w', kind: 'wager', amount: 'm.amount' },
      `(SELECT w.account_id, w.subject, min(w.id::text)::uuid AS first, sum(w.amount) AS amount FROM wagers w
        WHERE ${within('w')} AND w.subject IS NOT NULL AND w.amount > 0 GROUP BY w.account_id, w.subject, w.currency) m
       JOIN wagers w ON w.psp_id = $1 AND w.id = m.first
       WHERE NOT EXISTS (SELECT 1 FROM transactions t WHERE t.psp_id = $1 AND t.subject = m.subject
         AND t.account_id = m.account_id AND ${approved('t', ...deposits)})
         AND NOT ${recordOf('m.first', 'transaction', `JOIN transactions t ON t.psp_id = $1 AND t.id = o.record_id AND ${approved('t', ...deposits)}`)}`,
    ),
  ],
];

/** The statement of a finding: its first lines, with the number and sum of all of its currency. */
const statement = (sql: string) =>
  `SELECT finding, account_id AS account, kind, id, other_kind, other, currency, trim_scale(amount)::text AS amount, at,
     count(*) OVER (PARTITION BY currency)::int AS lines, trim_scale(sum(amount) OVER (PARTITION BY currency))::text AS sum
   FROM (${sql}) f
   ORDER BY at, id LIMIT ${mostLines}`;

/** Reads all findings. @param done called after each */
async function readFindings(
  db: Pick<Database, 'query'>,
  of: {
    readonly psp: PspId;
    readonly only: string | undefined;
    readonly from: number;
    readonly to: number;
    readonly now: number;
  },
  done: (read: number, all: number) => void = () => undefined,
): Promise<Line[]> {
  const iso = (ms: number) => new Date(ms).toISOString();
  const baskets = iso(of.now - basketHours * 3_600_000);
  const values = [of.psp, of.only ?? null, iso(of.from), iso(of.to)];
  const lines: Line[] = [];
  for (const [i, [, , sql]] of findings.entries()) {
    lines.push(...(await db.query<Line>(statement(sql), sql.includes('$5') ? [...values, baskets] : values)));
    done(i + 1, findings.length);
  }
  return lines;
}

interface Total {
  readonly finding: string;
  readonly meaning: Text;
  readonly lines: number;
  readonly currency: string | null;
  readonly sum: string | null;
}

const linkOf = (kind: IdKind, id: string): string => `/v1/${kind}/${toWire(kind, id)}`;

export const playerFindingsReport = reportKind({
  name: 'playerFindings',
  title: 'Findings about players',
  summary:
    'Deposits, wagers, payouts, withdrawals and baskets of a month that do not fit each other, with their records.',
  audience: ['psp', 'client', 'operator'],
  parameters: PeriodParameters,
  read: readPeriod,
  async run(run, _, period) {
    const of = { psp: run.psp, only: run.only, from: period.from, to: period.to, now: run.now };
    const lines = await readFindings(run.db, of, (read, all) => run.progress(read, all));
    const totals = findings.flatMap(([finding, meaning]): Total[] => {
      const byCurrency = new Map(lines.filter((l) => l.finding === finding).map((l) => [l.currency, l]));
      const first = [...byCurrency.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
      return first.length === 0
        ? [{ finding, meaning, lines: 0, currency: null, sum: null }]
        : first.map((l) => ({ finding, meaning, lines: l.lines, currency: l.currency, sum: l.sum }));
    });
    return {
      title: said`Findings about players of ${run.concerned.name}, ${period.name}`,
      facts: periodFacts(run, period),
      provisional: period.open,
      sections: [
        section(totals, {
          name: 'byFinding',
          title: 'By finding',
          note: said`Amounts are those of the record named first; of a customer without play what was withdrawn, without a deposit what was wagered. At most ${mostLines} lines of each are listed below.`,
          columns: [
            code('finding', 'Finding'),
            text('meaning', 'Meaning', (t) => phrase(t.meaning)),
            count('lines', 'Findings'),
            text('currency', 'Currency'),
            money('sum', 'Amount'),
          ],
          chart: { kind: 'bar', label: 'finding', values: ['lines'] },
        }),
        section(lines, {
          name: 'findings',
          title: 'Findings',
          columns: [
            code('finding', 'Finding'),
            time('at', 'Recorded'),
            ...(run.only === undefined ? [clientId(run.psp)] : []),
            text('recordId', 'Record', (l) => toWire(l.kind, l.id)),
            text('otherId', 'Other record', (l) =>
              l.other === null || l.other_kind === null ? null : toWire(l.other_kind, l.other),
            ),
            text('currency', 'Currency'),
            money('amount', 'Amount'),
          ],
          open: (l) => linkOf(l.kind, l.id),
        }),
      ],
    };
  },
});
