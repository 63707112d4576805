// Puts rules of the risk book in force: their rows and the journal entry, in one commit.
import { createHash } from 'node:crypto';
import { refuse } from '../../core/refusal.ts';
import type { RiskRule } from '../../core/risk/rule.ts';
import type { Content } from '../../entries/index.ts';
import type { Database } from '../../platform/database.ts';
import { journalRow, row } from '../kernel/journal.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Principal } from '../kernel/principal.ts';
import { recordIn } from '../kernel/record-in.ts';
import type { StoredRule } from './book-store.ts';

export interface NewRule {
  readonly rule: RiskRule;
  /** Its JSON, as it is stored. */
  readonly text: string;
  readonly before: StoredRule | undefined;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Must be the last call of its transaction.
 * @param also further writes of the same commit
 * @throws STATE_CONFLICT if the version was put in force meanwhile
 */
export async function recordRules(
  tx: Database,
  s: Needs<'ids' | 'committer'>,
  principal: Principal,
  at: string,
  rules: readonly NewRule[],
  origin: StoredRule['origin'],
  evidence: Content<'risk_rules.changed/1'>['evidence'],
  also: Parameters<typeof recordIn>[2] = { rows: [] },
): Promise<void> {
  const entry = journalRow(s, principal, at, {
    kind: 'risk_rules.changed',
    psp: principal.psp,
    account: principal.account,
    resourceId: principal.account,
    version: 1,
    data: { rules: rules.map((n) => ({ id: n.rule.id, version: n.rule.version, hash: hashOf(n.text), origin })) },
    evidence,
  });
  const rows = rules.flatMap(({ rule, text, before }) => [
    ...(before ? [row('risk_rule_ends', { id: before.id, version: before.version, superseded_at: at })] : []),
    row('risk_rules', {
      id: rule.id,
      version: rule.version,
      rule: text,
      origin,
      actor: principal.actor,
      recorded_at: at,
    }),
  ]);
  await recordIn(tx, s, { ...also, rows: [...rows, ...also.rows, entry] }).catch((e: { code?: string }) => {
    throw e.code === '23505' ? refuse('STATE_CONFLICT', 'this version of the rule was put in force meanwhile') : e;
  });
}
