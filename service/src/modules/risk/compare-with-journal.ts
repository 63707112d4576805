// Compares the stored rules of the risk book and the policies of PSPs with the journal: what declines and holds is what its
// entries say.
import { isDeepStrictEqual } from 'node:util';
import { nobody, type PspId, toWire } from '../../core/ids.ts';
import { readEntry, unknownSchema } from '../../entries/read.ts';
import type { Database } from '../../platform/database.ts';
import { riskPolicies, riskRules } from '../../records/risk-rules.ts';
import { tableOf } from '../../records/table.ts';

interface BookFinding {
  readonly table: 'risk_rules' | 'risk_policies';
  /** A rule's id with its version; of a policy, its version. */
  readonly id: string;
  readonly what: string;
}

const rules = tableOf(riskRules);
const policies = tableOf(riskPolicies);

/** The differences. Rules belong to no PSP: they are checked with the first staff account, no matter who put them in force. */
export const compareRiskBook = async (db: Database, psp: PspId): Promise<BookFinding[]> => [
  ...(await compareRiskRules(db, psp)),
  ...(await comparePolicies(db, psp)),
];

/** Each version has its entry, and is superseded from the moment of the next one on. */
async function compareRiskRules(db: Database, psp: PspId): Promise<BookFinding[]> {
  const staff = await db.query<{ psp_id: string }>(
    "SELECT psp_id FROM accounts WHERE kind = 'operator' ORDER BY psp_id",
  );
  if ((staff[0]?.psp_id ?? nobody) !== psp) return [];
  const entries = await db.query<{ body: string }>(
    "SELECT body FROM journal WHERE kind = 'risk_rules.changed' AND psp_id = ANY ($1::uuid[]) ORDER BY id",
    [[nobody, ...staff.map((s) => s.psp_id)]],
  );
  const journaled = entries
    .filter(({ body }) => unknownSchema(body) === undefined)
    .map(({ body }) => readEntry(body, ['risk_rules.changed/1']))
    .flatMap(({ timestamp, actor, data }) =>
      data.rules.map((r) => ({ ...r, actor: actor.by, at: Date.parse(timestamp) })),
    );
  const nameOf = (r: { readonly id: string; readonly version: number }) => `${r.id} ${r.version}`;
  const startOf = new Map(journaled.map((r) => [nameOf(r), r.at]));
  const expected = new Map(
    journaled.map(({ at, ...r }) => [
      nameOf(r),
      { ...r, recordedAt: at, supersededAt: startOf.get(nameOf({ id: r.id, version: r.version + 1 })) ?? null },
    ]),
  );
  const hashes = await db.query<{ id: string; version: number; hash: string }>(
    "SELECT id, version, encode(sha256(convert_to(rule, 'UTF8')), 'hex') AS hash FROM risk_rules",
  );
  const hashOf = new Map(hashes.map((r) => [nameOf(r), r.hash]));
  const stored = new Map(
    (await rules.read(db, '', [])).map(({ rule: _, ...r }) => [
      nameOf(r),
      {
        ...r,
        hash: hashOf.get(nameOf(r)),
        recordedAt: Date.parse(r.recordedAt),
        supersededAt: r.supersededAt === null ? null : Date.parse(r.supersededAt),
      },
    ]),
  );
  return differences('risk_rules', expected, stored);
}

async function comparePolicies(db: Database, psp: PspId): Promise<BookFinding[]> {
  const entries = await db.query<{ body: string }>(
    "SELECT body FROM journal WHERE psp_id = $1 AND resource_id = $1 AND kind = 'risk_policy.changed' ORDER BY seq",
    [psp],
  );
  const expected = new Map(
    entries
      .filter(({ body }) => unknownSchema(body) === undefined)
      .map(({ body }) => readEntry(body, ['risk_policy.changed/1']))
      .map(({ timestamp, actor, data, evidence }) => [
        String(data.version),
        {
          ...{ psp: data.pspId, account: psp, version: data.version, declining: data.declining },
          ...{
            holding: data.holding ?? [],
            reason: evidence.reason,
            setBy: actor.by,
            createdAt: Date.parse(timestamp),
          },
        },
      ]),
  );
  const stored = new Map(
    (await policies.read(db, 'WHERE psp_id = $1', [psp])).map((p) => [
      String(p.version),
      { ...p, psp: toWire('psp', p.psp), createdAt: Date.parse(p.createdAt) },
    ]),
  );
  return differences('risk_policies', expected, stored);
}

function differences(
  table: BookFinding['table'],
  expected: ReadonlyMap<string, object>,
  stored: ReadonlyMap<string, object>,
): BookFinding[] {
  return [...new Set([...expected.keys(), ...stored.keys()])].flatMap((id): BookFinding[] => {
    const [journaled, row] = [expected.get(id), stored.get(id)];
    if (isDeepStrictEqual(journaled, row)) return [];
    const what =
      journaled === undefined
        ? 'the journal has no entry about it'
        : row === undefined
          ? 'it is missing'
          : 'it is not what was recorded';
    return [{ table, id, what }];
  });
}
