// Test accounts: each is in a tenant without live accounts, so that nothing recorded with a test key can meet live
// data. Created with the first test key of a live account; changes to one do not affect the other.

import { Refusal, refuse } from '../../core/refusal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { type Account, findAccount, findTestAccount, type HasAccounts } from './accounts.ts';
import { createKeyless, type NewAccount } from './administer.ts';

type Uses = Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault' | 'subjects'> & HasAccounts;

/** The test account of an account, created if missing; a test account is its own. */
export async function testAccountOf(s: Uses, principal: Principal, live: Account, now: number): Promise<Account> {
  if (live.kind === 'operator') throw refuse('FIELD_INVALID', "the field 'mode' cannot be 'test' for an operator");
  if (live.kind === 'authority') throw refuse('FIELD_INVALID', "the field 'mode' cannot be 'test' for an authority");
  const owner = live.id === live.psp ? live : await findAccount(s.db, live.psp, live.psp);
  if (!owner) throw new Error(`the account ${live.id} has no PSP`);
  if (owner.testOf !== null) return live;
  if (live === owner) return made(s, principal, live, s.ids.next(), now);
  const tenant = await made(s, principal, owner, s.ids.next(), now);
  return made(s, principal, live, tenant.psp, now);
}

async function made(s: Uses, principal: Principal, live: Account, tenant: string, now: number): Promise<Account> {
  const before = await findTestAccount(s.db, live.id);
  if (before) return before;
  const shadow: NewAccount = {
    psp: tenant,
    id: live.kind === 'psp' ? tenant : s.ids.next(),
    kind: live.kind,
    name: live.name,
    testOf: live.id,
    ...(live.registrationNumber === null ? {} : { registrationNumber: live.registrationNumber }),
    ...(live.country === null ? {} : { country: live.country }),
    ...(live.classification === null ? {} : { classification: live.classification }),
    ...(live.organizationTin === null ? {} : { organizationTin: live.organizationTin }),
    // If several calls come at once, one creates it.
    once: { psp: live.psp, space: 'test-account', ref: live.id, account: live.id },
  };
  try {
    return (await createKeyless(s, principal, shadow, now)).account;
  } catch (e) {
    const other = e instanceof Refusal && e.code === 'ALREADY_REGISTERED' && (await findTestAccount(s.db, live.id));
    if (other) return other;
    throw e;
  }
}
