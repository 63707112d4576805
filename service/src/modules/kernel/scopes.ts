// What a caller may give others: never more than its own key has.
import { refuse } from '../../core/refusal.ts';
import type { Role } from '../../core/roles.ts';
import { either, type Said, said, type Value } from '../../core/said.ts';
import { covers, type Scope, scopes } from '../../core/scopes.ts';
import type { Audience, Principal } from './operation.ts';

/** The scopes in a sentence: `payments and read`. */
export function inWords(held: readonly Scope[] | undefined): Value {
  const all = held ?? scopes;
  return all.length < 2 ? all.join() : said`${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}

/** @param what what would be given, such as `a login of the file drop` @throws SCOPE */
export function expectScopes(principal: Principal, wanted: readonly Scope[] | undefined, what: Said): void {
  if (!covers(principal.scopes, wanted))
    throw refuse(
      'SCOPE',
      said`${what} has ${inWords(wanted)}, more than your key, which has ${inWords(principal.scopes)}; use a key with these scopes`,
    );
}

/** The scopes of a key that the caller issues: those requested, or the caller's own. @throws SCOPE */
export function scopesToGive(principal: Principal, asked: readonly Scope[] | undefined): readonly Scope[] | undefined {
  if (asked === undefined) return principal.scopes;
  expectScopes(principal, asked, said`the new key`);
  return asked;
}

/** People are limited by roles: an administrator does everything, the others read and keep records. */
export const scopesOfRole = (role: Role): readonly Scope[] | undefined =>
  role === 'administrator' ? undefined : ['records', 'read'];

/** Who may do something, in a sentence. */
export const keysOf = (audience: readonly Audience[]): Value => either(audience.map((a) => callers[a]));

const callers: Readonly<Record<Audience, Said>> = {
  psp: said`a psp's key`,
  client: said`a client's key`,
  operator: said`an operator's key`,
  authority: said`people of an authority`,
};
