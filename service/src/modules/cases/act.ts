// What is done from a case: a change of the client or of a transaction, by the functions of the existing operations, in the
// commit of the case. The case is named in the account's entry where only operators read that, and in the case's own entry otherwise: an entry of a transaction is shown to its client.
import { acted, type Case, releaseProposed } from '../../core/cases/case.ts';
import { type AccountId, accountWire, fromWire, toWire } from '../../core/ids.ts';
import { phrase, Refusal, refuse, said } from '../../core/refusal.ts';
import type { Hold } from '../../core/standing.ts';
import { isHeldBy } from '../../core/wallets/wallet-hold.ts';
import type { Command } from '../../platform/committer.ts';
import {
  bothAccounts,
  caseHold,
  changedStanding,
  concerned,
  type ForgetsSessions,
  findAccount,
  forgetChanged,
  type HasAccounts,
  type HasKeys,
  type StandingChange,
  stillOnHold,
} from '../accounts/index.ts';
import type { Call, Needs, Principal, Reply } from '../kernel/operation.ts';
import { findTransaction } from '../transactions/index.ts';
import { findWalletHold } from '../wallets/index.ts';
import { walletHeld } from './act-on-wallet.ts';
import { type CaseNeeds, caseWire, changeCase, type Together } from './change-case.ts';

interface OneOfRef {
  readonly account: AccountId;
  readonly ref: string;
}

/** The operations on transactions that a case may carry out; app.ts gives them, since they depend on other modules. */
interface HasRecordChanges {
  readonly recordChanges: {
    decline(call: Call, of: OneOfRef): Command<Reply>;
    chargeBack(call: Call, of: OneOfRef): Command<Reply>;
  };
}

export type Acts = CaseNeeds & Needs<'settings'> & HasAccounts & HasKeys & ForgetsSessions & HasRecordChanges;

export interface Action {
  readonly action: 'HOLD' | 'HOLD_WALLET' | 'RELEASE' | 'SUSPEND' | 'DECLINE' | 'CHARGE_BACK';
  readonly reason: string;
  readonly holdId?: string | undefined;
  readonly transactionId?: string | undefined;
}

/** @throws as the operation does; AUDIENCE for what only operators may do */
export async function act(s: Acts, call: Call, c: Case, a: Action): Promise<Reply> {
  // Refused before anything is done.
  const may = acted(c);
  if (may instanceof Error) throw may;
  if (a.action === 'DECLINE' || a.action === 'CHARGE_BACK' || a.action === 'HOLD_WALLET')
    return actOnTransaction(s, call, c, a);
  const wallet = a.action === 'RELEASE' ? fromWire('walletHold', a.holdId ?? '') : undefined;
  if (wallet !== undefined) return proposeRelease(s, call, c, a, wallet);
  if (call.principal.kind !== 'operator' && call.principal.staff === undefined)
    throw refuse('AUDIENCE', said`${phrase(a.action)} is for operators; ask yours, or decline the transactions`);
  if (a.action === 'RELEASE') return proposeRelease(s, call, c, a);
  const id = s.ids.next();
  const reason = { reason: a.reason, caseId: caseWire(c) };
  const change =
    a.action === 'HOLD' ? { hold: held(call, id, a.reason) } : { operationalStanding: 'SUSPENDED' as const };
  const client = clientChange(s, call, c, { ...reason, ...change });
  const holdId = a.action === 'HOLD' ? { holdId: toWire('hold', id) } : {};
  return recorded(s, call, c, a, { about: accountWire(c.psp, c.account), ...holdId }, client);
}

const held = (call: Call, id: string, reason: string) => ({
  ...{ id, code: caseHold, reason, blocking: true },
  from: new Date(call.now).toISOString(),
  until: null,
  setBy: call.principal.actor,
});

/** Ends a hold that a second person agreed to end. */
export function released(s: Acts, call: Call, c: Case, hold: string): Together {
  const reason = `Approved in case ${c.number}; proposed by ${c.proposed?.by}.`;
  return clientChange(s, call, c, { reason, caseId: caseWire(c), release: hold });
}

/** A change of the case's client, for the commit of the case. */
function clientChange(s: Acts, call: Call, c: Case, change: StandingChange): Together {
  const who = concerned(s.accounts, c.psp, c.account);
  return {
    keys: [`a|${c.account}`],
    changesAccount: true,
    needs: [who.account, who.psp],
    decide(facts) {
      const both = bothAccounts(facts, who);
      if (both instanceof Refusal) return both;
      if (change.hold && both.account.holds.some((h) => isEqual(h, change.hold))) return undefined;
      const changed = changedStanding(s, operatorOf(call.principal), both, change, call.now);
      if (changed instanceof Refusal || change.release === undefined) return changed;
      return { ...changed, besides: stillOnHold(changed.account, change.release, call.now) };
    },
    committed: () => forgetChanged(s, { psp: c.psp, id: c.account }, change),
  };
}

/** Whether a hold is what was asked for, by the same person and for the same reason, and lasts. */
const isEqual = (h: Hold, asked: Hold | undefined): boolean =>
  h.until === null && h.code === asked?.code && h.setBy === asked.setBy && h.reason === asked.reason;

/** Staff who act as a PSP change accounts as themselves. */
const operatorOf = (p: Principal): Principal =>
  p.staff === undefined ? p : { ...p, kind: 'operator', psp: p.staff.psp, account: p.staff.account };

/** @param wallet the hold, if it is one of a wallet */
async function proposeRelease(s: Acts, call: Call, c: Case, a: Action, wallet?: string): Promise<Reply> {
  if (a.holdId === undefined) throw refuse('FIELD_INVALID', "the field 'holdId' is required for RELEASE");
  const at = new Date(call.now).toISOString();
  const hold = wallet === undefined ? await clientHold(s, c, a.holdId, at) : await walletHold(s, c, wallet, at);
  if (hold === undefined)
    throw refuse(
      'NOT_FOUND',
      "the field 'holdId' names no hold of the client of this case that has not ended, and none of a wallet from it",
    );
  return changeCase(s, call, c, {
    step: 'propose',
    message: 'proposed; another person ends the hold by approving it',
    to: releaseProposed(hold, call.principal.actor, at),
    items: [item(a, { about: wallet ? null : accountWire(c.psp, c.account), holdId: a.holdId })],
  });
}

async function walletHold(s: Acts, c: Case, hold: string, at: string) {
  const found = await findWalletHold(s.db, c.psp, hold);
  return found?.caseId === c.id && isHeldBy(found, at) ? { hold, ofWallet: true as const } : undefined;
}

async function clientHold(s: Acts, c: Case, wire: string, at: string) {
  const id = fromWire('hold', wire);
  const account = await findAccount(s.db, c.psp, c.account);
  return id !== undefined && account?.holds.some((h) => h.id === id && (h.until === null || h.until > at))
    ? { hold: id }
    : undefined;
}

async function actOnTransaction(s: Acts, call: Call, c: Case, a: Action): Promise<Reply> {
  if (a.transactionId === undefined)
    throw refuse('FIELD_INVALID', said`the field 'transactionId' is required for ${phrase(a.action)}`);
  const id = fromWire('transaction', a.transactionId);
  const t = id && (await findTransaction(s.db, c.psp, id));
  if (!t || t.account !== c.account || t.ref === null)
    throw refuse('NOT_FOUND', "the field 'transactionId' names no transaction of the client of this case");
  if (a.action === 'HOLD_WALLET') {
    const { holdId, together } = await walletHeld(s, call, c, a, t.id);
    return recorded(s, call, c, a, { about: a.transactionId, holdId }, together);
  }
  const asPsp = { ...call, principal: pspOf(call.principal, c), onBehalfOf: c.account };
  const of = { account: c.account, ref: t.ref };
  const command = a.action === 'DECLINE' ? s.recordChanges.decline(asPsp, of) : s.recordChanges.chargeBack(asPsp, of);
  return recorded(s, call, c, a, { about: a.transactionId }, transactionChange(command, a));
}

/** The change of a transaction, for the commit of the case. Nothing is done to one that is as it was asked to be. */
function transactionChange(command: Command<Reply>, a: Action): Together {
  return {
    keys: command.keys,
    needs: command.needs,
    furtherNeeds: (facts) => command.furtherNeeds?.(facts) ?? [],
    decide(facts) {
      const decided = command.decide(facts);
      if (!(decided instanceof Error)) return decided.writes && { ...decided.writes, together: decided.together };
      const isRepeated = a.action === 'CHARGE_BACK' && codeOf(decided) === 'ALREADY_CHARGED_BACK';
      return isRepeated ? undefined : decided;
    },
    committed: () => command.committed?.(),
  };
}

const codeOf = (e: Error): string | undefined => (e instanceof Refusal ? e.code : undefined);

/** The operator's staff act as the PSP. */
const pspOf = (p: Principal, c: Case): Principal =>
  p.kind === 'operator'
    ? { ...p, kind: 'psp', psp: c.psp, account: c.psp, staff: { psp: p.psp, account: p.account } }
    : p;

const item = (a: Action, of: { readonly about: string | null; readonly holdId?: string | undefined }) =>
  ({
    kind: 'ACTION',
    about: of.about ?? undefined,
    text: a.reason,
    content: { action: a.action, ...(of.holdId === undefined ? {} : { holdId: of.holdId }) },
  }) as const;

const recorded = (
  s: Acts,
  call: Call,
  c: Case,
  a: Action,
  of: { readonly about: string; readonly holdId?: string },
  together: Together,
) => changeCase(s, call, c, { step: 'act', message: `done: ${a.action}`, to: acted, items: [item(a, of)], together });
