// What a change of rates and an added crypto asset write, and their journal entries.
import type { FeeRule } from '../../core/fee.ts';
import { toWire } from '../../core/ids.ts';
import type { CryptoAsset } from '../../core/reference.ts';
import { refuse } from '../../core/refusal.ts';
import type { Content } from '../../entries/index.ts';
import type { Row } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { journalRow, row } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { recordIn } from '../kernel/record-in.ts';
import { type CountryFile, lockLiveFee, notLive } from './rates-store.ts';

/** A change within its transaction. */
export interface RatesChange {
  /** The data of its journal entry. */
  readonly data: Content<'rates.changed/1'>['data'];
  /** Rows still to be written. */
  readonly rows: readonly Row[];
}

/**
 * Commits a change of rates with its journal entry; must be the last call of its transaction.
 * @param evidence the reason, and the proposal if any
 * @param also further writes of the same commit
 * @throws RATES_INVALID if a fee row with the same id was added meanwhile
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

export const taxChange = (
  version: string,
  files: readonly Pick<CountryFile, 'jurisdiction' | 'hash'>[],
): RatesChange => ({
  data: {
    dataset: version,
    countries: files.map(({ jurisdiction, hash }) => ({ jurisdiction, hash })),
  },
  rows: [],
});

/** A fee row as in the journal. */
export const feeInEntry = (rule: FeeRule) => ({ ...rule, ...(rule.psp ? { psp: toWire('psp', rule.psp) } : {}) });

export const feeChange = (rule: FeeRule, at: string): RatesChange => ({
  data: { fee: feeInEntry(rule) },
  rows: [row('fee_rules', { fee_id: rule.feeId, rule: JSON.stringify(rule), recorded_at: at })],
});

/** Ends a fee row's use; the row stays for transactions priced with it. @throws NOT_FOUND if it is not live */
export async function feeEndChange(tx: Database, feeId: string, at: string): Promise<RatesChange> {
  if (!(await lockLiveFee(tx, feeId))) throw notLive(feeId);
  return { data: { feeEnded: feeId }, rows: [row('fee_ends', { fee_id: feeId, superseded_at: at })] };
}

/** Commits a crypto asset with its journal entry; must be the last call of its transaction. */
export async function recordAsset(
  tx: Database,
  s: Needs<'ids' | 'committer'>,
  principal: Principal,
  at: string,
  { symbol, network, decimals, name }: CryptoAsset,
  reason: string,
): Promise<void> {
  const data = { symbol, network, decimals, name };
  const entry = journalRow(s, principal, at, {
    kind: 'asset.added',
    psp: principal.psp,
    account: principal.account,
    resourceId: principal.account,
    version: 1,
    data,
    evidence: { reason },
  });
  await recordIn(tx, s, { rows: [row('crypto_assets', { ...data, recorded_at: at }), entry] });
}
