// The sums that some taxes count in, of a client or a customer over a day, month or year: read for a decision, and
// changed with it. A decision holds the ref of each sum it changes, so that no two are made on the same sum.
import { decimal, unitsAt } from '../../core/money.ts';
import { differenceOf, isZero, negated, sumOf } from '../../core/sums.ts';
import type { TaxPlan } from '../../core/tax/book.ts';
import type { CountedSum } from '../../core/tax/counted-sums.ts';
import { isCounted, onwardsName, type Running, sumName } from '../../core/tax/running.ts';
import type { Sums } from '../../core/tax/split.ts';
import type { TransactionRecord } from '../../core/transaction.ts';
import {
  type FactLoader,
  type Facts,
  type Need,
  need,
  type RefKey,
  type Together,
  type Writes,
} from '../../platform/committer.ts';
import { row } from '../kernel/journal.ts';
import type { Needs } from '../kernel/needs.ts';

interface HeldSum {
  readonly id: string;
  readonly base: string;
  readonly records: number;
  /** Of its ref; null if a decision of the same batch holds it. */
  readonly revision: number | null;
}

const textOf = (k: RefKey): string => `${k.psp}|${k.account}|${k.ref}`;

const sumByRef: FactLoader<RefKey, HeldSum> = {
  name: 'tax-sum',
  text: textOf,
  async load(db, keys) {
    const rows = await db.query<HeldSum & Pick<RefKey, 'psp' | 'account' | 'ref'>>(
      `SELECT r.psp_id AS psp, r.account_id AS account, r.ref, r.revision, t.id, t.base::text AS base, t.records
       FROM refs r JOIN unnest($1::uuid[], $2::text[], $3::uuid[]) AS k(p, f, a)
         ON r.psp_id = k.p AND r.space = 'tax_sum' AND r.ref = k.f AND r.account_id = k.a
       JOIN tax_sums t ON t.psp_id = r.psp_id AND t.id = r.target_id`,
      [keys.map((k) => k.psp), keys.map((k) => k.ref), keys.map((k) => k.account)],
    );
    return new Map(
      rows.map(({ psp, account, ref, ...held }) => [textOf({ psp, space: 'tax_sum', account, ref }), held]),
    );
  },
};

export type Whose = Pick<TransactionRecord, 'psp' | 'account' | 'subject'>;

/** A customer is counted for the PSP, whichever of its clients it pays. Undefined if nobody is named. */
function keyOf(whose: Whose, of: CountedSum['of'], sum: string): RefKey | undefined {
  const { psp, account, subject } = whose;
  if (of === 'CLIENT') return { psp, space: 'tax_sum', ref: sum, account };
  return subject === null ? undefined : { psp, space: 'tax_sum', ref: `${sum} ${subject}`, account: psp };
}

interface Place {
  readonly currency: string;
  readonly decimals: number;
  readonly date: string;
}

/** A rule that counts, with the refs of its sum and of the note that its limit was reached. */
interface Asked {
  readonly rule: string;
  readonly sum: Need<HeldSum>;
  readonly onwards: Need<HeldSum> | undefined;
}

function askedBy(plan: TaxPlan, whose: Whose, { currency, date }: Place): Asked[] {
  return [...plan.added, ...plan.withheld].flatMap(({ rule, currency: own }): Asked[] => {
    if (!isCounted(rule) || own !== currency) return [];
    const { of } = rule.summedOver;
    const key = keyOf(whose, of, sumName(plan.jurisdiction, rule, currency, date));
    if (key === undefined) return [];
    const noted = onwardsName(plan.jurisdiction, rule, currency);
    const onwards = noted === undefined ? undefined : keyOf(whose, of, noted);
    return [{ rule: rule.ruleId, sum: need(sumByRef, key), onwards: onwards && need(sumByRef, onwards) }];
  });
}

/** What a decision by the plan needs. */
export const sumNeeds = (plan: TaxPlan, whose: Whose, place: Place): Need<HeldSum>[] =>
  askedBy(plan, whose, place).flatMap((a) => [a.sum, ...(a.onwards ? [a.onwards] : [])]);

const counts = (t: TransactionRecord): boolean =>
  t.status === 'APPROVED' && (t.chargeback === null || t.chargeback.reversedAt !== undefined);

/** What was counted before, without what the record itself added at its revision before. */
export function sumsBefore(
  facts: Facts,
  plan: TaxPlan,
  whose: Whose,
  place: Place,
  own: TransactionRecord | undefined,
): Sums {
  const mine = own && counts(own) ? (own.evidence.sums ?? []) : [];
  const units = (text: string): bigint => unitsAt(decimal(text), place.decimals) ?? 0n;
  return new Map(
    askedBy(plan, whose, place).map(({ rule, sum, onwards }): [string, Running] => {
      const held = facts(sum);
      const { ref } = sum.key as RefKey;
      const added = own && mine.find((m) => keyOf(own, m.of, m.sum)?.ref === ref);
      return [
        rule,
        {
          base: units(differenceOf(held?.base ?? '0', added?.adds ?? '0')),
          records: (held?.records ?? 0) - (added ? 1 : 0),
          reached: onwards !== undefined && facts(onwards) !== undefined,
        },
      ];
    }),
  );
}

const keysOf = (t: TransactionRecord | undefined): RefKey[] =>
  (t?.evidence.sums ?? []).flatMap((m) => keyOf(t as TransactionRecord, m.of, m.sum) ?? []);

/** What a change of a record needs of the sums that it counted in. */
export const ownSumNeeds = (t: TransactionRecord | undefined): Need<HeldSum>[] =>
  keysOf(t).map((k) => need(sumByRef, k));

interface SumWrites {
  readonly refsHeld: NonNullable<Writes['refsHeld']>;
  readonly refsNew: NonNullable<Writes['refsNew']>;
  /** What is decided on sums of a PSP in one batch follows each other. */
  readonly together: Together | undefined;
}

/**
 * The change of the sums from one state of a record to the next; empty where it counts as before.
 * @param reads whether the decision read sums, so that it is good only together with what it read of others
 */
export function sumWrites(
  s: Needs<'ids'>,
  facts: Facts,
  before: TransactionRecord | undefined,
  after: TransactionRecord,
  reads = false,
): SumWrites {
  const added = new Map<string, { key: RefKey; bases: string[]; records: number }>();
  const add = (t: TransactionRecord, sign: 1 | -1) => {
    for (const m of counts(t) ? (t.evidence.sums ?? []) : []) {
      const key = keyOf(t, m.of, m.sum);
      if (key === undefined) continue;
      const sum = added.get(key.ref) ?? { key, bases: [], records: 0 };
      sum.bases.push(sign === 1 ? m.adds : negated(m.adds));
      sum.records += sign;
      added.set(key.ref, sum);
    }
  };
  if (before) add(before, -1);
  add(after, 1);
  const refsHeld: (RefKey & { revision: number })[] = [];
  const refsNew: (RefKey & { target: string; revision: number })[] = [];
  const sums: { need: Need<unknown>; fact: HeldSum; row: ReturnType<typeof sumRow> }[] = [];
  const write = (key: RefKey, base: string, records: number) => {
    const asked = need(sumByRef, key);
    const held = facts(asked);
    const id = held?.id ?? s.ids.next();
    if (!held) refsNew.push({ ...key, target: id, revision: 1 });
    else if (held.revision !== null) refsHeld.push({ ...key, revision: held.revision });
    const fact = {
      id,
      base: sumOf([held?.base ?? '0', base]),
      records: (held?.records ?? 0) + records,
      revision: null,
    };
    sums.push({ need: asked, fact, row: sumRow(key, fact, after.updatedAt) });
  };
  for (const { key, bases, records } of added.values()) {
    const base = sumOf(bases);
    if (!isZero(base) || records !== 0) write(key, base, records);
  }
  for (const m of counts(after) ? (after.evidence.sums ?? []) : []) {
    const key = m.reaches === undefined ? undefined : keyOf(after, m.of, m.reaches);
    if (key !== undefined && facts(need(sumByRef, key)) === undefined) write(key, '0', 1);
  }
  if (!reads && sums.length === 0) return { refsHeld, refsNew, together: undefined };
  return {
    refsHeld,
    refsNew,
    together: {
      name: `tax-sums|${after.psp}`,
      after: sums.map((m) => [m.need, m.fact]),
      latest: sums.map((m) => [m.need.id, m.row]),
    },
  };
}

const sumRow = (key: RefKey, { id, base, records }: HeldSum, at: string) =>
  row('tax_sums', { psp_id: key.psp, id, account_id: key.account, sum: key.ref, base, records, updated_at: at });
