// The caller, as operations see it.
import { type AccountId, nobody, type PspId } from '../../core/ids.ts';
import type { View } from '../../core/oversight.ts';
import type { Role } from '../../core/roles.ts';
import type { Scope } from '../../core/scopes.ts';

/** The caller: the account of its key. */
export interface Principal {
  readonly kind: 'psp' | 'client' | 'operator' | 'authority';
  readonly psp: PspId;
  readonly account: AccountId;
  /** `key_…`, `usr_…`, or the login name of a person or tool. */
  readonly actor: string;
  /** For a signed-in person; a key acts as an administrator. */
  readonly role?: Role;
  /** The scopes of its key; undefined for all, and for a person. */
  readonly scopes?: readonly Scope[];
  /**
   * For a call with the console's cookie: session and person (UUIDs), the token that proves it comes from a console
   * page, and when the person signed in (milliseconds since the epoch).
   */
  readonly session?: {
    readonly id: string;
    readonly user: string;
    readonly csrfToken: string;
    readonly since: number;
  };
  /** What people of an authority may read. */
  readonly view?: View;
  /** The own account of staff who act as this PSP. */
  readonly staff?: { readonly psp: PspId; readonly account: AccountId };
  /** Whether it is a test key: its account is in a test tenant, and refs may force outcomes. */
  readonly test?: boolean;
  /**
   * The strictest standing of its account, the account's PSP and, for tests, their live accounts; undefined if all are
   * ACTIVE.
   */
  readonly standing?: 'SUSPENDED' | 'CLOSED';
}

/** The actor for what the service does itself. */
export const system: Principal = {
  kind: 'operator',
  psp: nobody,
  account: nobody,
  actor: 'system',
};
