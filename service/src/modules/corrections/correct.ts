// Writes adjusting entries: a chunk of a range at a time, each in one commit with its journal entry. Transactions that
// already match the rules are skipped, so that a repeat changes nothing and a killed run can simply be repeated.
import { isoTime } from '../../core/calendar.ts';
import { accountWire, toWire } from '../../core/ids.ts';
import { wireSum } from '../../core/sums.ts';
import type { TaxedAs } from '../../core/tax/correction.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { recordIn } from '../kernel/record-in.ts';
import { type Adjustment, adjustmentRow, lockCorrections, type Range, readRecorded } from './adjustment-store.ts';
import { assess, deltaOf, isAffected } from './affected.ts';
import { heldRows } from './compare-with-journal.ts';

/** Transactions compared per commit. */
const portion = 250;

export interface Corrected {
  /** Version of the rules in force. */
  readonly dataset: string;
  readonly looked: number;
  readonly adjusted: number;
  /** Transactions for which the current rules have no answer; they stay unchanged. */
  readonly left: number;
  /** Id of the last transaction compared; undefined after the last chunk. */
  readonly next: string | undefined;
}

/** @param after end of the previous chunk */
export async function correctPortion(
  s: Needs<'clock' | 'ids' | 'db' | 'committer' | 'reference' | 'rates'>,
  principal: Principal,
  range: Range,
  why: { readonly reason: string; readonly proposalId?: string | undefined },
  after: string | undefined,
): Promise<Corrected> {
  return await s.db.transaction(async (tx) => {
    await lockCorrections(tx, range.psp);
    const recorded = await readRecorded(tx, range, after ?? null, portion);
    const dataset = s.rates.book.version;
    const assessed = recorded.map((r) => assess(s, r));
    const list: Adjustment[] = assessed.flatMap((a) =>
      isAffected(a, range) ? [{ recorded: a.recorded, after: a.after }] : [],
    );
    if (list.length > 0) {
      const at = isoTime(s.clock());
      const entry = s.ids.next();
      const made = { entry, dataset, reason: why.reason, actor: principal.actor, at };
      const rows = list.map((a) => adjustmentRow(made, a));
      const inJournal = journalRow(s, principal, at, {
        kind: 'tax.adjusted',
        psp: range.psp,
        account: range.only ?? range.psp,
        resourceId: entry,
        version: 1,
        data: {
          adjustmentId: toWire('adjustment', entry),
          countryCode: range.country,
          from: range.days.from,
          to: range.days.to,
          rule: range.rule ?? null,
          dataset,
          adjustments: list.map(shown),
        },
        evidence: {
          reason: why.reason,
          ...(why.proposalId === undefined ? {} : { proposalId: why.proposalId }),
          ...heldRows(rows.map(([, values]) => values)),
        },
      });
      await recordIn(tx, s, { rows: [...rows, inJournal] });
    }
    return {
      dataset,
      looked: recorded.length,
      adjusted: list.length,
      left: assessed.filter((a) => !a.after).length,
      next: recorded.length < portion ? undefined : recorded.at(-1)?.transaction.id,
    };
  });
}

const amounts = (t: TaxedAs) => ({
  vatAmount: wireSum(t.vatAmount),
  transactionVAT: wireSum(t.transactionVat),
  remainder: wireSum(t.remainder),
});

function shown({ recorded: { transaction: t, stands, adjusted }, after }: Adjustment) {
  const delta = deltaOf(stands, after);
  return {
    transactionId: toWire('transaction', t.id),
    clientId: accountWire(t.psp, t.account),
    revision: t.revision,
    number: adjusted + 1,
    date: t.evidence.date,
    currency: t.currency,
    before: { ...amounts(stands), tax: stands.tax },
    after: { ...amounts(after), tax: after.tax },
    delta: {
      vatAmount: wireSum(delta.vatAmount),
      transactionVAT: wireSum(delta.transactionVat),
      remainder: wireSum(delta.remainder),
    },
  };
}
