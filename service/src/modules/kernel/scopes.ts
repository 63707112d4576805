// What a caller may give others: never more than its own key has.
import { refuse } from '../../core/refusal.ts';
import type { Role } from '../../core/roles.ts';
import { covers, type Scope, scopes } from '../../core/scopes.ts';
import type { Principal } from './principal.ts';

/** The scopes in a sentence: `payments and read`. */
export const inWords = (held: readonly Scope[] | undefined): string =>
  new Intl.ListFormat('en-GB').format(held ?? scopes);

/** @param what what would be given, such as `a login of the file drop` @throws SCOPE */
export function expectScopes(principal: Principal, wanted: readonly Scope[] | undefined, what: string): void {
  if (!covers(principal.scopes, wanted))
    throw refuse(
      'SCOPE',
      `${what} has ${inWords(wanted)}, more than your key, which has ${inWords(principal.scopes)}; use a key with these scopes`,
    );
}

/** The scopes of a key that the caller issues: those requested, or the caller's own. @throws SCOPE */
export function scopesToGive(principal: Principal, asked: readonly Scope[] | undefined): readonly Scope[] | undefined {
  if (asked === undefined) return principal.scopes;
  expectScopes(principal, asked, 'the new key');
  return asked;
}

/** People are limited by roles: an administrator does everything, the others read and keep records. */
export const scopesOfRole = (role: Role): readonly Scope[] | undefined =>
  role === 'administrator' ? undefined : ['records', 'read'];
