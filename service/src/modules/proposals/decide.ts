// Approves and rejects proposals. An approval is one transaction: the decision, the rates and both journal entries are
// committed together.
import type { FeeRule } from '../../core/fee.ts';
import { toWire } from '../../core/ids.ts';
import { notFound, orThrow, phrase, type Refusal, refuse, said } from '../../core/refusal.ts';
import { need } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import type { HasAccounts } from '../accounts/index.ts';
import { about, journalRow } from '../kernel/journal.ts';
import type { Needs, Principal, Reply } from '../kernel/operation.ts';
import { recordIn } from '../kernel/record-in.ts';
import { needTwoFor } from '../kernel/second-person.ts';
import {
  feeChange,
  feeEndChange,
  type HasRateKeeper,
  hashInForce,
  needTwoForRates,
  type RatesChange,
  recordRates,
  taxChange,
} from '../rates/index.ts';
import { type HasRiskBook, recordRules } from '../risk/index.ts';
import { expectAnother, expectStillHere } from '../users/index.ts';
import type { HasRequirements } from '../verification/index.ts';
import { people } from './proposal-fields.ts';
import { proposalResource } from './proposal-resource.ts';
import { baseOf, findProposal, gateOf, lockGate, type Proposal, proposalRow, standingOf } from './proposal-store.ts';
import { expectPossible, isAct, isVisible } from './proposed-acts.ts';
import { forgetClient, levelRaised, needTwoForLevels } from './proposed-level.ts';

/** The answer to repeating one's own decision, or a refusal because it was decided otherwise. */
function decided(p: Proposal, state: Proposal['state'], actor: string): Reply | Refusal {
  if (p.state === state && p.decidedBy === actor)
    return { message: `${state.toLowerCase()} before`, content: proposalResource(p), replayed: true };
  return refuse(
    'STATE_CONFLICT',
    said`the proposal is ${phrase(p.state)}: ${toWire('proposal', p.id)} was decided already`,
  );
}

const closed = (p: Proposal, state: Proposal['state'], principal: Principal, reason: string | null, at: string) => ({
  ...p,
  state,
  decidedBy: principal.actor,
  decisionReason: reason,
  version: p.version + 1,
  updatedAt: at,
});

const entryOf = (p: Proposal) =>
  ({
    kind: 'proposal.decided',
    ...about(p),
    data: proposalResource(p),
    ...(p.decisionReason === null ? {} : { evidence: { reason: p.decisionReason } }),
  }) as const;

const ratesInForce = 'approved; the rates are in force';
const approvedMessages: Readonly<Record<Proposal['kind'], string>> = {
  TAX: ratesInForce,
  FEE: ratesInForce,
  FEE_END: ratesInForce,
  CORRECTION: 'approved; correctRates makes it, with this proposalId',
  RISK: 'approved; the rule is in force from the day that it names',
  LEVEL: 'approved; the level is in force',
  OPERATOR: 'approved; who proposed it creates the operator by createOperator, with this proposalId',
  OPERATOR_KEY: 'approved; who proposed it issues the key by issueKey, with this proposalId',
  AUTHORITY: 'approved; who proposed it calls createAuthority or changeAuthority, with this proposalId',
  ERASURE: 'approved; who proposed it erases the person by eraseSubject, with this proposalId',
};

/** @throws NOT_FOUND, STATE_CONFLICT, TWO_PERSONS, RATES_INVALID if the proposal no longer fits the rates in force */
export async function approve(
  s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'reference' | 'rates'> &
    HasRateKeeper &
    HasRequirements &
    HasAccounts &
    HasRiskBook,
  principal: Principal,
  id: string,
  reason: string | null,
  now: number,
): Promise<Reply> {
  const found = await findProposal(s.db, id);
  if (!found || !isVisible(found, principal)) throw notFound();
  if (found.state !== 'OPEN') return orThrow(decided(found, 'APPROVED', principal.actor));
  if (found.proposedBy === principal.actor)
    throw refuse('STATE_CONFLICT', 'a proposal is approved by another person than the one who made it');
  await expectStillHere(s.db, found.proposedBy, people);
  await expectAnother(s.db, found.proposedBy, principal, needTwo(s, found.kind));
  await expectPossible(s.db, found);
  const at = new Date(now).toISOString();
  const after = closed(found, 'APPROVED', principal, reason, at);
  const put = await prepared(s, principal, found);
  await s.db.transaction(async (tx) => {
    const held = await lockGate(tx, found, 'OPEN');
    if (held === undefined) throw refuse('STATE_CONFLICT', 'the proposal was decided meanwhile');
    const decision = {
      refsHeld: [held],
      rows: [proposalRow(after), journalRow(s, principal, at, entryOf(after))],
    };
    const evidence = { reason: found.reason, proposalId: toWire('proposal', found.id), proposedBy: found.proposedBy };
    if (found.kind === 'RISK') {
      // The row of its id is locked with the gate: the version before is still the one that is superseded.
      const rule = await s.riskBook.checked(tx, JSON.parse(found.content));
      return recordRules(tx, s, principal, at, [rule], 'operator', evidence, decision);
    }
    if (found.kind === 'LEVEL') {
      const raised = await levelRaised(s, tx, principal, found, now);
      return recordIn(tx, s, { ...decision, rows: [...raised.rows, ...decision.rows] });
    }
    const change = await put?.(tx, at);
    // A correction changes no rates: correctRates makes its entries and names the proposal.
    if (change === undefined) return recordIn(tx, s, decision);
    return recordRates(tx, s, principal, at, change, evidence, decision);
  });
  if (found.kind === 'LEVEL') await forgetClient(s, found);
  else await Promise.all([s.rateKeeper.refresh(), s.riskBook.refresh()]);
  return { message: approvedMessages[found.kind], content: proposalResource(after) };
}

const needTwo = (s: Needs<'settings'>, kind: Proposal['kind']): boolean =>
  kind === 'LEVEL' ? needTwoForLevels(s) : isAct(kind) ? needTwoFor(s, kind) : needTwoForRates(s);

/**
 * Checks a proposal against the rates now in force.
 * @returns the change of rates, if there is one
 */
async function prepared(
  s: Needs<'reference'> & HasRateKeeper,
  principal: Principal,
  p: Proposal,
): Promise<((tx: Database, at: string) => Promise<RatesChange>) | undefined> {
  if (p.kind === 'TAX') {
    const files = s.rateKeeper.checkTax(s, [{ name: p.subject, text: p.content }]);
    return async (tx) => {
      const base = await baseOf(tx, p);
      if (base !== undefined && base !== (await hashInForce(tx, p.subject)))
        throw refuse(
          'STATE_CONFLICT',
          said`the rules of ${p.subject} were changed since it was proposed, which it would undo: reject it, and propose the change of the file in force`,
        );
      const version = await s.rateKeeper.putTax(tx, files, principal.actor, p.reason);
      return taxChange(version, files);
    };
  }
  if (p.kind === 'CORRECTION' || p.kind === 'LEVEL' || p.kind === 'RISK' || isAct(p.kind)) return undefined;
  if (p.kind === 'FEE_END') return (tx, at) => feeEndChange(tx, p.subject, at);
  const rule = JSON.parse(p.content) as FeeRule;
  await s.rateKeeper.checkFee(rule);
  return async (_, at) => feeChange(rule, at);
}

/** @throws NOT_FOUND, STATE_CONFLICT */
export async function reject(
  s: Needs<'ids' | 'db' | 'committer'>,
  principal: Principal,
  id: string,
  reason: string,
  now: number,
): Promise<Reply> {
  const found = await findProposal(s.db, id);
  if (!found || !isVisible(found, principal)) throw notFound();
  const gate = gateOf(found);
  const held = need(standingOf, found);
  const at = new Date(now).toISOString();
  return s.committer.submit<Reply>({
    account: found.account,
    keys: [`p|${gate.ref}`],
    needs: [held],
    decide(facts) {
      const standing = facts(held);
      const before = standing?.latest;
      if (!standing || before?.id !== id || before.state !== 'OPEN') {
        const rejected = decided(before?.id === id ? before : found, 'REJECTED', principal.actor);
        return rejected instanceof Error ? rejected : { reply: rejected };
      }
      const after = closed(before, 'REJECTED', principal, reason, at);
      return {
        reply: { message: 'rejected; everything stays as it is', content: proposalResource(after) },
        writes: {
          refsHeld: [{ ...gate, revision: standing.revision }],
          rows: [proposalRow(after), journalRow(s, principal, at, entryOf(after))],
        },
      };
    },
  });
}
