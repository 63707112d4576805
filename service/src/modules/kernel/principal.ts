// Who makes a call: what is known of them when an operation is asked.
import type { AccountId, PspId } from '../../core/ids.ts';
import type { Role } from '../../core/roles.ts';

/** Who makes a call: the account of the key. */
export interface Principal {
  readonly kind: 'psp' | 'client' | 'operator';
  readonly psp: PspId;
  readonly account: AccountId;
  /** `key_…`, `usr_…`, or the login name of a person or tool. */
  readonly actor: string;
  /** Of a person who signed in; a key acts as an administrator. */
  readonly role?: Role;
  /** Of a call with the console's cookie: session and person (uuids), and what a page proves itself with. */
  readonly session?: { readonly id: string; readonly user: string; readonly csrfToken: string };
  /** The own account of staff who make the call as this PSP. */
  readonly staff?: { readonly psp: PspId; readonly account: AccountId };
  /** Whether it is a test key: its account stands in a tenant for tests, and refs may force outcomes. */
  readonly test?: boolean;
  /** The strictest standing of its account, the account's PSP and, for tests, their live accounts; none where all are ACTIVE. */
  readonly standing?: 'SUSPENDED' | 'CLOSED';
}
