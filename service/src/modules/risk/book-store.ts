// All SQL on the rules of the risk book and on policies.
import type { PspId } from '../../core/ids.ts';
import type { RiskRule } from '../../core/risk/rule.ts';
import { type Database, only } from '../../platform/database.ts';
import { riskPolicies, riskRules } from '../../records/risk-rules.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';

const rules = tableOf(riskRules);
const policies = tableOf(riskPolicies);

export interface StoredRule extends Omit<RecordOf<typeof riskRules>, 'rule'> {
  readonly rule: RiskRule;
  readonly text: string;
}
export type RiskPolicy = RecordOf<typeof riskPolicies>;

const stored = ({ rule, ...r }: RecordOf<typeof riskRules>): StoredRule => ({
  ...r,
  text: rule,
  rule: JSON.parse(rule) as RiskRule,
});

export const liveRules = async (db: Database): Promise<StoredRule[]> =>
  (await rules.read(db, 'WHERE superseded_at IS NULL ORDER BY id', [])).map(stored);

/** Every version of every rule. */
export const allVersions = async (db: Database): Promise<StoredRule[]> => (await rules.read(db, '', [])).map(stored);

export async function findRule(db: Database, id: string): Promise<StoredRule | undefined> {
  const [found] = await rules.read(db, 'WHERE id = $1 AND superseded_at IS NULL', [id]);
  return found && stored(found);
}

/** The version that a proposed one supersedes, or superseded once it is in force. */
export async function ruleBefore(db: Database, proposed: RiskRule): Promise<StoredRule | undefined> {
  const [found] = await rules.read(db, 'WHERE id = $1 AND version < $2 ORDER BY version DESC LIMIT 1', [
    proposed.id,
    proposed.version,
  ]);
  return found && stored(found);
}

/** Every version, newest first. */
export const versionsOf = async (db: Database, id: string): Promise<StoredRule[]> =>
  (await rules.read(db, 'WHERE id = $1 ORDER BY version DESC', [id])).map(stored);

/** The first 20 open proposals of rules, for their shadows: id of the rule and its JSON. */
export const openProposals = (db: Database): Promise<{ subject: string; content: string }[]> =>
  db.query("SELECT subject, content FROM proposals WHERE kind = 'RISK' AND state = 'OPEN' ORDER BY id LIMIT 20");

/** The rule of a proposal of one, decided or not. */
export async function findProposedRule(db: Database, proposal: string): Promise<RiskRule | undefined> {
  const [found] = await db.query<{ content: string }>("SELECT content FROM proposals WHERE id = $1 AND kind = 'RISK'", [
    proposal,
  ]);
  return found && (JSON.parse(found.content) as RiskRule);
}

/** SQL of a text that changes when rules, proposals or policies do. */
export const bookState = `concat_ws('|', (SELECT count(*) || ' ' || count(superseded_at) FROM risk_rules),
  (SELECT count(*) || ' ' || max(id::text) FROM proposals WHERE state = 'OPEN' AND kind = 'RISK'),
  (SELECT sum(version) FROM (SELECT max(version) AS version FROM risk_policies GROUP BY psp_id) p))`;

export const readBookState = async (db: Database): Promise<string> =>
  only(await db.query<{ state: string }>(`SELECT ${bookState} AS state`)).state;

/** The policy in force of each PSP that has one. */
export const policiesInForce = (db: Database): Promise<RiskPolicy[]> =>
  policies.read(
    db,
    'WHERE version = (SELECT max(p.version) FROM risk_policies p WHERE p.psp_id = risk_policies.psp_id)',
    [],
  );

export const policyOf = (db: Database, psp: PspId): Promise<RiskPolicy | undefined> =>
  policies.find(db, 'WHERE psp_id = $1 ORDER BY version DESC LIMIT 1', [psp]);

/** One change of a PSP's policy at a time, until the transaction ends. */
export async function lockPolicy(tx: Database, psp: PspId): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`risk-policy|${psp}`]);
}

export const policyColumns = (p: RiskPolicy) => policies.toRow(p);
