// Compares stored rates with the journal: fees and country files set by staff, and the rule rows made from country
// files. Shipped files have no entry; their text is compared with its hash.
import { isDeepStrictEqual } from 'node:util';
import type { FeeRule } from '../../core/fee.ts';
import { nobody, type PspId } from '../../core/ids.ts';
import { type EntryOf, readEntry, unknownSchema } from '../../entries/read.ts';
import type { Database, Row } from '../../platform/database.ts';
import { feeTold } from './rates-entry.ts';

export interface RateFinding {
  readonly table: 'fee_rules' | 'tax_countries';
  /** A fee's id, or a country's code. */
  readonly id: string;
  readonly what: string;
}

type ToldChange = EntryOf<'rates.changed/1'>;

/**
 * The differences. Rates belong to no PSP: they are checked with the first staff account, and not with any other PSP.
 * Staff change them under their own accounts, the command line without one.
 */
export async function ratesAsTold(db: Database, psp: PspId): Promise<RateFinding[]> {
  const staff = (
    await db.query<{ psp_id: string }>("SELECT psp_id FROM accounts WHERE kind = 'operator' ORDER BY psp_id")
  ).map((r) => r.psp_id);
  if ((staff[0] ?? nobody) !== psp) return [];
  const rows = await db.query<{ body: string }>(
    "SELECT body FROM journal WHERE kind = 'rates.changed' AND psp_id = ANY ($1::uuid[]) ORDER BY id",
    [[nobody, ...staff]],
  );
  // An entry with another schema is reported with the journal it is in.
  const known = rows.map((r) => r.body).filter((body) => unknownSchema(body) === undefined);
  const told = known.map((body) => readEntry(body, ['rates.changed/1']));
  return [...(await feesAsTold(db, told)), ...(await countriesAsTold(db, told)), ...(await rulesAsFiled(db))];
}

async function feesAsTold(db: Database, told: readonly ToldChange[]): Promise<RateFinding[]> {
  const set = new Map(told.flatMap(({ data: { fee } }) => (fee ? [[fee.feeId, fee] as const] : [])));
  const ended = new Set(told.flatMap(({ data }) => data.feeEnded ?? []));
  const rows = await db.query<{ fee_id: string }>(
    'SELECT fee_id, rule, superseded_at IS NOT NULL AS ended FROM fee_rules',
  );
  const stored = new Map(rows.map((r) => [r.fee_id, r] as const));
  return [...new Set([...set.keys(), ...stored.keys()])].flatMap((id): RateFinding[] => {
    const what = differs(set.get(id), stored.get(id), ended.has(id));
    return what === undefined ? [] : [{ table: 'fee_rules', id, what }];
  });
}

/** How a fee's row differs from the journal. */
function differs(fee: object | undefined, row: Row | undefined, ended: boolean): string | undefined {
  if (fee === undefined) return 'the journal has no entry about it';
  if (row === undefined) return 'it is missing';
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(feeTold(read(row.rule) as FeeRule))), fee))
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

async function countriesAsTold(db: Database, told: readonly ToldChange[]): Promise<RateFinding[]> {
  const key = (...parts: unknown[]) => JSON.stringify(parts);
  const set = new Map(
    told.flatMap(({ actor, data, evidence }) =>
      (data.countries ?? []).map(
        (c) => [key(c.jurisdiction, c.hash, actor.by, evidence.reason), c.jurisdiction] as const,
      ),
    ),
  );
  const rows = await db.query<LoadedFile>(
    `SELECT jurisdiction, hash, origin, actor, reason,
       hash = encode(sha256(convert_to(document, 'UTF8')), 'hex') AS sound FROM tax_countries`,
  );
  const finding = (id: string, what: string): RateFinding => ({ table: 'tax_countries', id, what });
  const findings = rows.flatMap((r) => {
    if (!r.sound) return [finding(r.jurisdiction, 'the file is not the one that was loaded')];
    const known = set.has(key(r.jurisdiction, r.hash, r.actor, r.reason));
    return r.origin === 'operator' && !known ? [finding(r.jurisdiction, 'the journal does not tell of this file')] : [];
  });
  const stored = new Set(
    rows.filter((r) => r.origin === 'operator').map((r) => key(r.jurisdiction, r.hash, r.actor, r.reason)),
  );
  for (const [k, jurisdiction] of set)
    if (!stored.has(k)) findings.push(finding(jurisdiction, 'a file that was loaded is missing'));
  return findings;
}

interface LoadedFile {
  readonly jurisdiction: string;
  readonly hash: string;
  readonly origin: string;
  readonly actor: string;
  readonly reason: string | null;
  /** Whether the hash matches the text. */
  readonly sound: boolean;
}

/** Rule rows that differ from their country's file. Unreadable files are reported elsewhere. */
async function rulesAsFiled(db: Database): Promise<RateFinding[]> {
  const rows = await db.query<{ jurisdiction: string }>(
    `WITH filed AS (
       SELECT c.jurisdiction, c.recorded_at, c.superseded_at, d->>'ruleId' AS rule_id, d AS rule
       FROM tax_countries c, jsonb_array_elements(CASE WHEN pg_input_is_valid(document, 'jsonb') THEN document::jsonb->'rules' END) AS d
     ), kept AS (
       SELECT *, CASE WHEN pg_input_is_valid(rule, 'jsonb') THEN rule::jsonb END AS read FROM tax_rules
     )
     SELECT DISTINCT coalesce(f.jurisdiction, k.jurisdiction) AS jurisdiction FROM filed f
     FULL JOIN kept k ON k.jurisdiction = f.jurisdiction AND lower(k.recorded) = f.recorded_at AND k.rule_id = f.rule_id
     WHERE k.read IS DISTINCT FROM f.rule OR upper(k.recorded) IS DISTINCT FROM f.superseded_at
       OR k.valid IS DISTINCT FROM daterange((f.rule->>'validFrom')::date, (f.rule->>'validTo')::date)`,
  );
  return rows.map((r) => ({
    table: 'tax_countries',
    id: r.jurisdiction,
    what: 'its rows of rules are not those of its file',
  }));
}
