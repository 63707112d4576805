// What a change of rates writes, and what the journal tells of it.
import type { FeeRule } from '../../core/fee.ts';
import { toWire } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import type { Content } from '../../entries/index.ts';
import type { Row } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { journalRow, row } from '../kernel/journal.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Principal } from '../kernel/principal.ts';
import { recordIn } from '../kernel/record-in.ts';
import { type CountryFile, lockLiveFee, notLive } from './rates-store.ts';

/** A change as far as its transaction has come. */
export interface RatesChange {
  /** What the journal tells of it. */
  readonly data: Content<'rates.changed/1'>['data'];
  /** What is still to be written. */
  readonly rows: readonly Row[];
}

/**
 * Makes a change of rates and its journal entry true, as the last of a transaction.
 * @param evidence why, and by which proposal
 * @param also of the same commit
 * @throws RATES_INVALID where a fee row of the same id was added meanwhile
 */
export async function recordRates(
  tx: Database,
  s: Needs<'ids' | 'committer'>,
  principal: Principal,
  at: string,
  { data, rows }: RatesChange,
  evidence: Content<'rates.changed/1'>['evidence'],
  also: Parameters<typeof recordIn>[2] = { rows: [] },
): Promise<void> {
  const entry = journalRow(s, principal, at, {
    kind: 'rates.changed',
    psp: principal.psp,
    account: principal.account,
    resourceId: principal.account,
    version: 1,
    data,
    evidence,
  });
  await recordIn(tx, s, { ...also, rows: [...rows, ...also.rows, entry] }).catch((e: { code?: string }) => {
    throw e.code === '23505' ? refuse('RATES_INVALID', 'a fee row of this id was added at the same moment') : e;
  });
}

export const taxChange = (version: string, files: readonly CountryFile[]): RatesChange => ({
  data: {
    dataset: version,
    countries: files.map((f) => ({ jurisdiction: f.country.jurisdiction, hash: f.hash })),
  },
  rows: [],
});

/** A fee row as the journal tells it. */
export const feeTold = (rule: FeeRule) => ({ ...rule, ...(rule.psp ? { psp: toWire('psp', rule.psp) } : {}) });

export const feeChange = (rule: FeeRule, at: string): RatesChange => ({
  data: { fee: feeTold(rule) },
  rows: [row('fee_rules', { fee_id: rule.feeId, rule: JSON.stringify(rule), recorded_at: at })],
});

/** The end of a fee row's use; the row stays for what was priced with it. @throws NOT_FOUND where it is not live */
export async function feeEndChange(tx: Database, feeId: string, at: string): Promise<RatesChange> {
  if (!(await lockLiveFee(tx, feeId))) throw notLive(feeId);
  return { data: { feeEnded: feeId }, rows: [row('fee_ends', { fee_id: feeId, superseded_at: at })] };
}
