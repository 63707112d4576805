// Compares stored rates with the journal: fees, crypto assets, country files, and the rule rows made from country files. Earlier
// versions put shipped files in force without an entry: a superseded one may have none, unless an earlier one has.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FeeRule } from '../../core/fee.ts';
import { onFirstUse } from '../../core/first-use.ts';
import { nobody, type PspId } from '../../core/ids.ts';
import type { TaxRule } from '../../core/tax/rule.ts';
import { type EntryOf, readEntry, unknownSchema } from '../../entries/read.ts';
import type { Database, Row } from '../../platform/database.ts';
import { system } from '../kernel/principal.ts';
import { feeInEntry } from './rates-entry.ts';
import { shippedCountries } from './rates-store.ts';

export interface RateFinding {
  readonly table: 'fee_rules' | 'tax_countries' | 'crypto_assets';
  /** A fee's id, a country's code, or an asset with its network. */
  readonly id: string;
  readonly what: string;
}

type JournaledChange = EntryOf<'rates.changed/1'>;

/**
 * The differences. Rates belong to no PSP: they are checked with the first staff account, and not with any other PSP.
 * Staff change them under their own accounts, the command line without one.
 */
export async function compareRates(db: Database, psp: PspId): Promise<RateFinding[]> {
  const staff = (
    await db.query<{ psp_id: string }>("SELECT psp_id FROM accounts WHERE kind = 'operator' ORDER BY psp_id")
  ).map((r) => r.psp_id);
  if ((staff[0] ?? nobody) !== psp) return [];
  const rows = await db.query<{ kind: string; body: string }>(
    "SELECT kind, body FROM journal WHERE kind IN ('rates.changed', 'asset.added') AND psp_id = ANY ($1::uuid[]) ORDER BY id",
    [[nobody, ...staff]],
  );
  // An entry with another schema is reported with the journal it is in.
  const known = rows.filter(({ body }) => unknownSchema(body) === undefined);
  const bodies = (kind: string) => known.filter((r) => r.kind === kind).map((r) => r.body);
  const journaled = bodies('rates.changed').map((body) => readEntry(body, ['rates.changed/1']));
  return [
    ...(await compareFees(db, journaled)),
    ...(await compareAssets(db, bodies('asset.added'))),
    ...(await compareCountries(db, journaled)),
    ...(await compareRules(db)),
  ];
}

/** Crypto assets: each added one has its row, and each row its entry. */
async function compareAssets(db: Database, bodies: readonly string[]): Promise<RateFinding[]> {
  const journaled = bodies
    .map((body) => readEntry(body, ['asset.added/1']))
    .map(({ timestamp, data }) => ({ ...data, at: timestamp }));
  const stored = await db.query<AddedAsset>(
    'SELECT symbol, network, decimals, name, recorded_at AS at FROM crypto_assets',
  );
  const text = (a: AddedAsset) => JSON.stringify([a.symbol, a.network, a.decimals, a.name, Date.parse(a.at)]);
  const missingIn = (others: readonly AddedAsset[], from: readonly AddedAsset[], what: string) => {
    const known = new Set(others.map(text));
    return from
      .filter((a) => !known.has(text(a)))
      .map((a): RateFinding => ({ table: 'crypto_assets', id: `${a.symbol} on ${a.network}`, what }));
  };
  return [
    ...missingIn(stored, journaled, 'its row is missing, or is not what was recorded'),
    ...missingIn(journaled, stored, 'the journal has no entry about it'),
  ];
}

type AddedAsset = EntryOf<'asset.added/1'>['data'] & { readonly at: string };

async function compareFees(db: Database, journaled: readonly JournaledChange[]): Promise<RateFinding[]> {
  const set = new Map(journaled.flatMap(({ data: { fee } }) => (fee ? [[fee.feeId, fee] as const] : [])));
  const ended = new Set(journaled.flatMap(({ data }) => data.feeEnded ?? []));
  const rows = await db.query<{ fee_id: string }>(
    'SELECT fee_id, rule, superseded_at IS NOT NULL AS ended FROM fee_rules',
  );
  const stored = new Map(rows.map((r) => [r.fee_id, r] as const));
  return [...new Set([...set.keys(), ...stored.keys()])].flatMap((id): RateFinding[] => {
    const what = differs(set.get(id), stored.get(id), ended.has(id));
    return what === undefined ? [] : [{ table: 'fee_rules', id, what }];
  });
}

function differs(fee: object | undefined, row: Row | undefined, ended: boolean): string | undefined {
  if (fee === undefined) return 'the journal has no entry about it';
  if (row === undefined) return 'it is missing';
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(feeInEntry(read(row.rule) as FeeRule))), fee))
    return 'it is not what was recorded';
  if (row.ended === ended) return undefined;
  return ended ? 'it is in force, and the journal says that it ended' : 'it has ended, and the journal does not say so';
}

/** Text that is not JSON was not recorded by the service. */
function read(text: unknown): unknown {
  try {
    return JSON.parse(text as string);
  } catch {
    return {};
  }
}

async function compareCountries(db: Database, journaled: readonly JournaledChange[]): Promise<RateFinding[]> {
  const key = (c: Pick<LoadedFile, 'jurisdiction' | 'hash' | 'actor' | 'reason'>) =>
    JSON.stringify([c.jurisdiction, c.hash, c.actor, c.reason]);
  /** Files that entries name and no row was found for yet, each with its country. */
  const named = new Map<string, string[]>();
  for (const { actor, data, evidence } of journaled)
    for (const c of data.countries ?? []) {
      const k = key({ ...c, actor: actor.by, reason: evidence.reason });
      named.set(k, [...(named.get(k) ?? []), c.jurisdiction]);
    }
  const rows = await db.query<LoadedFile>(
    `SELECT jurisdiction, hash, origin, actor, reason, superseded_at IS NOT NULL AS superseded,
       hash = encode(sha256(convert_to(document, 'UTF8')), 'hex') AS sound
     FROM tax_countries ORDER BY recorded_at DESC`,
  );
  const finding = (id: string, what: string): RateFinding => ({ table: 'tax_countries', id, what });
  const unjournaled = (id: string) => finding(id, 'the journal does not tell of this file');
  const findings: RateFinding[] = [];
  /** Superseded shipped files without an entry, by country. */
  const older = new Map<string, RateFinding[]>();
  for (const r of rows) {
    const { jurisdiction: id } = r;
    const isJournaled = named.get(key(r))?.pop() !== undefined;
    if (!r.sound) findings.push(finding(id, 'the file is not the one that was loaded'));
    if (isJournaled && r.origin === 'shipped') {
      findings.push(...(older.get(id) ?? []));
      older.delete(id);
    } else if (!isJournaled && r.origin === 'shipped' && r.superseded)
      older.set(id, [...(older.get(id) ?? []), unjournaled(id)]);
    else if (!isJournaled && r.sound) findings.push(unjournaled(id));
    if (isJournaled && r.origin !== (r.actor === system.actor ? 'shipped' : 'operator'))
      findings.push(finding(id, `its origin is '${r.origin}', and it was loaded by ${r.actor}`));
  }
  for (const id of [...named.values()].flat()) findings.push(finding(id, 'a file that was loaded is missing'));
  return findings;
}

interface LoadedFile {
  readonly jurisdiction: string;
  readonly hash: string;
  readonly origin: string;
  readonly actor: string;
  readonly reason: string | null;
  readonly superseded: boolean;
  /** Whether the hash matches the text. */
  readonly sound: boolean;
}

/** A country file as stored, with hashes of its text and of its rows. */
interface StoredFile {
  readonly jurisdiction: string;
  /** When it was recorded, as the database writes it. */
  readonly at: string;
  readonly sha256: string;
  /** As `rowsHash` makes it; null where there are no rows. */
  readonly rowsSha256: string | null;
  /** Whether all rows end with the file. */
  readonly endsWithFile: boolean | null;
}

/** What each row is hashed by, in the order of the rules' ids, as bytes. */
const rowText = "concat_ws(E'\\n', r.rule_id, r.valid::text, r.rule)";

function rowsHash(rules: readonly FiledRule[]): string {
  const byId = rules.toSorted((a, b) => Buffer.compare(Buffer.from(a.ruleId ?? ''), Buffer.from(b.ruleId ?? '')));
  const rows = byId.map((rule) => [rule.ruleId, validityOf(rule), JSON.stringify(rule)].join('\n'));
  return createHash('sha256').update(rows.join('\n')).digest('hex');
}

/** The hash of the rows of each shipped file by the file's own. */
const shippedRows = onFirstUse(
  (): ReadonlyMap<string, string> => new Map(shippedCountries().map((f) => [f.hash, rowsHash(f.country.rules)])),
);

/**
 * Countries whose rule rows differ from their file. Unreadable files are reported elsewhere. The database hashes texts and rows:
 * almost all files are those that ship, and neither they nor their rows have to be read.
 */
async function compareRules(db: Database): Promise<RateFinding[]> {
  const files = await db.query<StoredFile>(
    `SELECT jurisdiction, c.recorded_at::text AS at, encode(sha256(convert_to(c.document, 'UTF8')), 'hex') AS sha256,
       r.sha256 AS "rowsSha256", r.ends AS "endsWithFile"
     FROM tax_countries c FULL JOIN (
       SELECT r.jurisdiction, lower(r.recorded) AS recorded_at, encode(sha256(convert_to(string_agg(${rowText}, E'\\n' ORDER BY r.rule_id COLLATE "C"), 'UTF8')), 'hex') AS sha256,
         bool_and(upper(r.recorded) IS NOT DISTINCT FROM c.superseded_at) AS ends
       FROM tax_rules r LEFT JOIN tax_countries c ON c.jurisdiction = r.jurisdiction AND c.recorded_at = lower(r.recorded)
       GROUP BY 1, 2
     ) r USING (jurisdiction, recorded_at)`,
  );
  const known = shippedRows();
  const unsure = files.filter((f) => f.endsWithFile !== true || known.get(f.sha256) !== f.rowsSha256);
  return unsure.length === 0 ? [] : rowsAsFiled(db, [...new Set(unsure.map((f) => f.jurisdiction))]);
}

/** The same of some countries, row by row. Texts are compared before their contents, for almost all of them are equal. */
async function rowsAsFiled(db: Database, jurisdictions: readonly string[]): Promise<RateFinding[]> {
  const files = await db.query<{ jurisdiction: string; at: string; document: string }>(
    'SELECT jurisdiction, recorded_at::text AS at, document FROM tax_countries WHERE jurisdiction = ANY ($1)',
    [jurisdictions],
  );
  const rows = await db.query<KeptRule>(
    `SELECT r.jurisdiction, lower(r.recorded)::text AS at, r.rule_id, r.rule, r.valid::text AS valid,
       upper(r.recorded) IS NOT DISTINCT FROM c.superseded_at AS "endsWithFile"
     FROM tax_rules r LEFT JOIN tax_countries c ON c.jurisdiction = r.jurisdiction AND c.recorded_at = lower(r.recorded)
     WHERE r.jurisdiction = ANY ($1)`,
    [jurisdictions],
  );
  const key = (...parts: readonly unknown[]) => JSON.stringify(parts);
  const filed = new Map(
    files.flatMap(({ jurisdiction, at, document }) =>
      rulesIn(document).map((rule) => [key(jurisdiction, at, rule.ruleId), { jurisdiction, rule }] as const),
    ),
  );
  const differ = new Set<string>();
  for (const row of rows) {
    const k = key(row.jurisdiction, row.at, row.rule_id);
    const rule = filed.get(k)?.rule;
    filed.delete(k);
    if (rule === undefined || !isFiled(row, rule)) differ.add(row.jurisdiction);
  }
  for (const { jurisdiction } of filed.values()) differ.add(jurisdiction);
  return [...differ].map((id) => ({ table: 'tax_countries', id, what: 'its rows of rules are not those of its file' }));
}

interface KeptRule {
  readonly jurisdiction: string;
  readonly at: string;
  readonly rule_id: string;
  readonly rule: string;
  readonly valid: string;
  readonly endsWithFile: boolean;
}

type FiledRule = Partial<Pick<TaxRule, 'ruleId' | 'validFrom' | 'validTo'>>;

/** The rules of a file whose text may be anything. */
function rulesIn(document: string): readonly FiledRule[] {
  const { rules } = (read(document) ?? {}) as { readonly rules?: unknown };
  return Array.isArray(rules) ? rules.map((rule) => rule ?? {}) : [];
}

/** The days of a rule as the database writes them. */
const validityOf = ({ validFrom, validTo }: FiledRule): string =>
  `${validFrom ? `[${validFrom}` : '('},${validTo ?? ''})`;

function isFiled(row: KeptRule, rule: FiledRule): boolean {
  if (!row.endsWithFile || row.valid !== validityOf(rule)) return false;
  return row.rule === JSON.stringify(rule) || isDeepStrictEqual(read(row.rule), rule);
}
