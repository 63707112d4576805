// Spec 3: what a call does in each state, read from the table itself.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  callerOf,
  declinedReason,
  declineReasons,
  outcomeOf,
  stateOf,
  transactionCallers,
  transactionStates,
  transactionTable,
  transactionTriggers,
} from './transaction-states.ts';

const recorded = (over: object = {}) => ({ status: 'APPROVED' as const, reason: null, chargeback: null, ...over });
const writes = ['DECIDE', 'DECLINE', 'CHARGE_BACK'];

describe('the states of a transaction', () => {
  it('are told apart by what is recorded', () => {
    expect(stateOf(recorded())).toBe('APPROVED');
    expect(stateOf(recorded({ chargeback: {} }))).toBe('CHARGED_BACK');
    expect(stateOf(recorded({ status: 'DECLINED', reason: 'the client is suspended' }))).toBe('DECLINED');
    for (const [state, reason] of Object.entries(declineReasons))
      expect(stateOf(recorded({ status: 'DECLINED', reason }))).toBe(state);
  });

  it('are never changed by a client where its PSP recorded the transaction', () => {
    for (const state of transactionStates)
      for (const trigger of transactionTriggers)
        expect(writes).not.toContain(transactionTable[state][trigger].taxpayer);
  });

  it('never leave an asked-for decline by a repetition of the request', () => {
    for (const state of Object.keys(declineReasons) as (keyof typeof declineReasons)[])
      for (const caller of transactionCallers) expect(transactionTable[state].repeat[caller]).toBe('REPLAY');
  });

  it('end with a chargeback', () => {
    for (const trigger of transactionTriggers)
      for (const caller of transactionCallers)
        expect(writes).not.toContain(transactionTable.CHARGED_BACK[trigger][caller]);
  });

  it('allow a PSP whatever they allow its client', () => {
    for (const state of transactionStates)
      for (const trigger of ['revise', 'chargeBack'] as const)
        for (const client of ['recorder', 'taxpayer'] as const)
          if (writes.includes(transactionTable[state][trigger][client]))
            expect(writes).toContain(transactionTable[state][trigger].psp);
  });

  it('name everybody who declined, in whatever order and however often', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('psp' as const, 'recorder' as const), { minLength: 1 }), (callers) => {
        let t: { status: 'APPROVED' | 'DECLINED'; reason: string | null; chargeback: null } = recorded();
        let traces = 0;
        for (const caller of callers) {
          if (outcomeOf(t, 'decline', caller) === 'REPLAY') continue;
          t = { status: 'DECLINED', reason: declinedReason(t, caller), chargeback: null };
          traces++;
        }
        const who = new Set(callers);
        expect(traces).toBe(who.size);
        expect(t.reason).toBe(
          who.size === 2
            ? 'declined by the PSP and by the client'
            : `declined by the ${who.has('psp') ? 'PSP' : 'client'}`,
        );
      }),
    );
  });

  it('know who calls: the PSP, the client that recorded, or the client it was recorded for', () => {
    expect(callerOf({ kind: 'psp', account: 'p' }, 'c')).toBe('psp');
    expect(callerOf({ kind: 'client', account: 'c' }, 'c')).toBe('recorder');
    expect(callerOf({ kind: 'client', account: 'c' }, 'p')).toBe('taxpayer');
  });
});
