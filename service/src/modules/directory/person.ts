// A person as these operations name one: by the keyed hash of an e-mail, a number, a wallet, a transfer or a network address,
// which says nothing about the person to who reads it.
import { notFound } from '../../core/refusal.ts';
import { type HasAccounts, reachOf } from '../accounts/index.ts';
import { type Call, type Needs, Type } from '../kernel/operation.ts';
import type { PersonScope } from './person-store.ts';

export const NamedBy = Type.Enum(['customer', 'msisdn', 'wallet', 'chainHash', 'ip'], {
  description:
    'customer: e-mail of a customer; msisdn: telephone number; wallet: address of a crypto withdrawal or deposit; chainHash: transfer on a chain; ip: network address of a wager.',
});

/** @throws NOT_FOUND */
export async function personOf(s: Needs<'db'> & HasAccounts, call: Call): Promise<PersonScope> {
  const person = call.params.personId ?? '';
  if (!/^[\w-]{27}$/.test(person)) throw notFound();
  const { psp, account } = await reachOf(s, call);
  return { psp, account, person };
}
