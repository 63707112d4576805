// Who a person is at a sign-in provider: noted at the first sign-in, so that another person who gets the e-mail later at the
// provider is not taken for the same person.
import type { User } from './user-store.ts';

type Identity = Pick<NonNullable<User['identities']>[number], 'issuer' | 'subject'>;

/** Whether a person has this identity at the provider. */
export const isKnownAs = (u: User, { issuer, subject }: Identity): boolean =>
  u.identities?.some((i) => i.issuer === issuer && i.subject === subject) === true;

/** @returns the change in the person; undefined if the provider knew them as somebody else */
export function pinned(u: User, { issuer, subject }: Identity, at: string): Pick<User, 'identities'> | undefined {
  const all = u.identities ?? [];
  const known = all.find((i) => i.issuer === issuer);
  if (known) return known.subject === subject ? { identities: all } : undefined;
  return { identities: [...all, { issuer, subject, since: at }] };
}
