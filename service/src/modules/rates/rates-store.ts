// All SQL on tax rules, fee rows and crypto assets that were added.
import { createHash } from 'node:crypto';
import type { FeeRule } from '../../core/fee.ts';
import { onFirstUse } from '../../core/first-use.ts';
import type { CryptoAsset } from '../../core/reference.ts';
import { refuse, said } from '../../core/refusal.ts';
import { type CountryTax, ruleSlot, type TaxBase, type TaxedOperation, type TaxRule } from '../../core/tax/rule.ts';
import { uncheckedTax } from '../../platform/data-files.ts';
import { type Database, only } from '../../platform/database.ts';

/** A country file with the hash of its text. */
export interface CountryFile {
  /** ISO 3166-1 alpha-2. */
  readonly jurisdiction: string;
  readonly country: CountryTax;
  readonly text: string;
  readonly hash: string;
}

export function countryFile(text: string, country = JSON.parse(text) as CountryTax): CountryFile {
  return { jurisdiction: country.jurisdiction, country, text, hash: createHash('sha256').update(text).digest('hex') };
}

/** The shipped country files, read once per process. They are never changed, and checked before they are put in force. */
export const shippedCountries = onFirstUse((): readonly CountryFile[] =>
  uncheckedTax().map(({ text, country }) => countryFile(text, country)),
);

export interface LiveCountry {
  readonly jurisdiction: string;
  readonly hash: string;
  readonly origin: 'shipped' | 'operator';
}

export const liveCountries = (db: Database): Promise<LiveCountry[]> =>
  db.query('SELECT jurisdiction, hash, origin FROM tax_countries WHERE superseded_at IS NULL');

/** The hash of a country's file in force, locked until the transaction ends. */
export async function hashInForce(tx: Database, jurisdiction: string): Promise<string | undefined> {
  const rows = await tx.query<{ hash: string }>(
    'SELECT hash FROM tax_countries WHERE superseded_at IS NULL AND jurisdiction = $1 FOR UPDATE',
    [jurisdiction],
  );
  return rows[0]?.hash;
}

export interface CountryInForce {
  readonly origin: LiveCountry['origin'];
  /** The actor who loaded it, or `system`. */
  readonly actor: string;
  readonly recordedAt: string;
  readonly country: CountryTax;
}

/** Every country's rules in force, and their origin. */
export async function countriesInForce(db: Database): Promise<CountryInForce[]> {
  const rows = await db.query<Omit<CountryInForce, 'country'> & { document: string }>(
    `SELECT origin, actor, recorded_at AS "recordedAt", document FROM tax_countries
     WHERE superseded_at IS NULL ORDER BY jurisdiction`,
  );
  return rows.map(({ document, ...loaded }) => ({ ...loaded, country: JSON.parse(document) as CountryTax }));
}

export const documents = async (db: Database, jurisdictions: readonly string[]): Promise<string[]> =>
  (
    await db.query<{ document: string }>(
      'SELECT document FROM tax_countries WHERE superseded_at IS NULL AND jurisdiction = ANY ($1)',
      [jurisdictions],
    )
  ).map((r) => r.document);

/**
 * The rules that a country file superseded when it was loaded, those in force if it was not.
 * @param since how often the same file was loaded again since
 */
export async function documentBefore(
  db: Database,
  { jurisdiction, hash }: CountryFile,
  since: number,
): Promise<string | undefined> {
  const [found] = await db.query<{ document: string }>(
    `SELECT document FROM tax_countries WHERE jurisdiction = $1 AND recorded_at <
       coalesce((SELECT recorded_at FROM tax_countries WHERE jurisdiction = $1 AND hash = $2 AND origin = 'operator'
         ORDER BY recorded_at DESC OFFSET $3 LIMIT 1), 'infinity')
     ORDER BY recorded_at DESC LIMIT 1`,
    [jurisdiction, hash, since],
  );
  return found?.document;
}

/** Supersedes countries' rules; the files must be validated. @returns the dataset's new version */
export async function loadCountries(
  db: Database,
  files: readonly CountryFile[],
  origin: 'shipped' | 'operator',
  actor: string,
  reason: string,
): Promise<string> {
  const countries = files.map((f) => ({
    jurisdiction: f.jurisdiction,
    hash: f.hash,
    document: f.text,
    rules: f.country.rules.map((r) => ({
      rule_id: r.ruleId,
      slot: ruleSlot(r),
      valid_from: r.validFrom,
      valid_to: r.validTo,
      rule: JSON.stringify(r),
    })),
  }));
  const loaded = await db.query<{ version: string }>('SELECT load_tax($1, $2, $3, $4) AS version', [
    JSON.stringify(countries),
    origin,
    actor,
    reason,
  ]);
  return only(loaded).version;
}

const versionInForce = '(SELECT version FROM tax_datasets ORDER BY recorded_at DESC LIMIT 1)';

/** SQL of a text that changes when rates do. */
export const ratesState = `concat_ws('|', ${versionInForce},
  (SELECT count(*) || '|' || count(superseded_at) FROM fee_rules), (SELECT count(*) FROM crypto_assets))`;

/** The version of the tax rules in force, and the state of all rates at the same moment. */
export const ratesInForce = async (db: Database): Promise<{ version: string | null; state: string }> =>
  only(await db.query(`SELECT ${versionInForce} AS version, ${ratesState} AS state`));

/** The crypto assets that staff added, in that order. */
export const addedAssets = (db: Database): Promise<CryptoAsset[]> =>
  db.query(
    `SELECT symbol, network, decimals, name, true AS added FROM crypto_assets
     ORDER BY recorded_at, symbol, network, decimals`,
  );

/** Rules as in an earlier dataset, with their countries' sources. */
export async function rulesOf(
  db: Database,
  version: string,
  ruleIds: readonly string[],
): Promise<{ rule: TaxRule; country: CountryTax }[]> {
  const rows = await db.query<{ rule: string; document: string }>(
    `WITH at AS (SELECT min(recorded_at) AS moment FROM tax_datasets WHERE version = $1)
     SELECT r.rule, c.document FROM at, tax_rules r
     JOIN tax_countries c ON c.jurisdiction = r.jurisdiction
     WHERE r.rule_id = ANY ($2) AND r.recorded @> at.moment
       AND c.recorded_at <= at.moment AND (c.superseded_at IS NULL OR c.superseded_at > at.moment)`,
    [version, ruleIds],
  );
  return rows.map((r) => ({
    rule: JSON.parse(r.rule) as TaxRule,
    country: JSON.parse(r.document) as CountryTax,
  }));
}

/** Rows that are in no country's file any more, as they were last. */
export async function goneRules(db: Database): Promise<{ jurisdiction: string; rule: TaxRule }[]> {
  const rows = await db.query<{ jurisdiction: string; rule: string }>(
    `SELECT DISTINCT ON (rule_id) jurisdiction, rule FROM tax_rules r
     WHERE NOT upper_inf(recorded) AND NOT EXISTS (SELECT FROM tax_rules l WHERE l.rule_id = r.rule_id AND upper_inf(l.recorded))
     ORDER BY rule_id, upper(recorded) DESC`,
  );
  return rows.map((r) => ({ ...r, rule: JSON.parse(r.rule) as TaxRule }));
}

/** Codes of all taxes that a country ever had here, by the ids of their rules: records keep the ids of earlier ones too. */
export async function taxCodesOf(db: Database, country: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; rule: string }>(
    'SELECT rule_id AS id, rule FROM tax_rules WHERE jurisdiction = $1',
    [country],
  );
  return new Map(rows.map((r) => [r.id, (JSON.parse(r.rule) as TaxRule).taxCode]));
}

/** The rules of these ids that are or ever were in force. */
async function everOf(db: Database, ruleIds: readonly string[]): Promise<TaxRule[]> {
  const rows = await db.query<{ rule: string }>('SELECT rule FROM tax_rules WHERE rule_id = ANY ($1)', [ruleIds]);
  return rows.map((r) => JSON.parse(r.rule) as TaxRule);
}

/** What the rules of these ids are, or ever were, for. */
export const operationsOf = async (db: Database, ruleIds: readonly string[]): Promise<ReadonlySet<TaxedOperation>> =>
  new Set((await everOf(db, ruleIds)).flatMap((r) => r.operations));

/** What the rules of these ids tax. */
export const basesOf = async (db: Database, ruleIds: readonly string[]): Promise<ReadonlyMap<string, TaxBase>> =>
  new Map((await everOf(db, ruleIds)).map((r) => [r.ruleId, r.base]));

export async function liveFees(db: Database): Promise<FeeRule[]> {
  const rows = await db.query<{ rule: string }>(
    'SELECT rule FROM fee_rules WHERE superseded_at IS NULL ORDER BY fee_id',
  );
  return rows.map((r) => JSON.parse(r.rule) as FeeRule);
}

export const notLive = (feeId: string) =>
  refuse(
    'NOT_FOUND',
    said`no live fee row '${feeId}' that was set here; shipped rows stay and are overruled by narrower ones`,
  );

/** Whether a fee row was set here and has not ended. */
export async function isLiveFee(db: Database, feeId: string): Promise<boolean> {
  const rows = await db.query('SELECT 1 FROM fee_rules WHERE fee_id = $1 AND superseded_at IS NULL', [feeId]);
  return rows.length > 0;
}

/** Whether a fee row is live; locks it until the transaction ends, so that nobody else ends it. */
export async function lockLiveFee(tx: Database, feeId: string): Promise<boolean> {
  const rows = await tx.query('SELECT 1 FROM fee_rules WHERE fee_id = $1 AND superseded_at IS NULL FOR UPDATE', [
    feeId,
  ]);
  return rows.length > 0;
}

/** A fee row by its id, live or not. */
export async function findFee(db: Database, feeId: string): Promise<FeeRule | undefined> {
  const [row] = await db.query<{ rule: string }>('SELECT rule FROM fee_rules WHERE fee_id = $1', [feeId]);
  return row && (JSON.parse(row.rule) as FeeRule);
}
