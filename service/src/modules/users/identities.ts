// Who a person is at a sign-in provider: noted at the first sign-in, so that another person who gets the e-mail later at the
// provider is not taken for the same person.
import type { User } from './user-store.ts';

type Identity = Pick<NonNullable<User['identities']>[number], 'issuer' | 'subject'>;

/** Whether the provider knows one of these people by this identity: whoever it is there cannot be somebody else here too. */
export const isOneOf = (people: readonly User[], { issuer, subject }: Identity): boolean =>
  people.some((u) => u.identities?.some((i) => i.issuer === issuer && i.subject === subject));

/** @returns the change in the person; undefined if the provider knew them as somebody else */
export function pinned(u: User, { issuer, subject }: Identity, at: string): Pick<User, 'identities'> | undefined {
  const all = u.identities ?? [];
  const known = all.find((i) => i.issuer === issuer);
  if (known) return known.subject === subject ? { identities: all } : undefined;
  return { identities: [...all, { issuer, subject, since: at }] };
}
