// What every module is given: the platform and the few shared stores. Built once by app.ts.
import type { FeeSchedule } from '../../core/fee.ts';
import type { Reference } from '../../core/reference.ts';
import type { Role } from '../../core/roles.ts';
import type { RuleBook } from '../../core/tax/book.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Committer } from '../../platform/committer.ts';
import type { Courtesy } from '../../platform/courtesy.ts';
import type { Pool } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Outgoing } from '../../platform/outgoing.ts';
import type { Passwords } from '../../platform/passwords.ts';
import type { IdMaker } from '../../platform/random.ts';
import type { Vault } from '../../platform/sealed-secrets.ts';
import type { Settings } from '../../settings.ts';
import type { AccountDirectory, KeyRing } from '../accounts/index.ts';
import type { RateKeeper } from '../rates/index.ts';
import type { ReportRunner } from '../reports/index.ts';
import type { CdrIntake } from '../telecom/index.ts';
import type { SessionRing, Turns } from '../users/index.ts';
import type { SubjectKeys } from './subjects.ts';

export interface Services {
  readonly settings: Settings;
  readonly clock: Clock;
  /** Measures ages and rates: no correction of the machine's clock moves it. */
  readonly monotonic: Clock;
  readonly ids: IdMaker;
  readonly log: Log;
  /** For reading, and for transactions that record with `recordIn`. */
  readonly db: Pick<Pool, 'query' | 'transaction'>;
  readonly committer: Pick<Committer, 'submit' | 'within' | 'depth'>;
  readonly courtesy: Courtesy;
  readonly vault: Vault;
  readonly reference: Reference;
  /** The tax rules and fees in force; replaced whole when they change. */
  readonly rates: { book: RuleBook; fees: FeeSchedule };
  readonly rateKeeper: RateKeeper;
  readonly accounts: AccountDirectory;
  readonly keys: KeyRing;
  readonly sessions: SessionRing;
  readonly passwords: Passwords;
  readonly signIns: Turns;
  readonly subjects: SubjectKeys;
  readonly cdrIntake: CdrIntake;
  readonly reports: Pick<ReportRunner, 'work' | 'make'>;
  /** Judges webhook addresses. */
  readonly outgoing: Pick<Outgoing, 'check'>;
}

/** Who makes a call: the account of the key. */
export interface Principal {
  readonly kind: 'psp' | 'client' | 'operator';
  readonly psp: string;
  readonly account: string;
  /** `key_…`, `usr_…`, or the login name of a person or tool. */
  readonly actor: string;
  /** Of a person who signed in; a key acts as an administrator. */
  readonly role?: Role;
  /** Of a call with the console's cookie: session and person (uuids), and what a page proves itself with. */
  readonly session?: { readonly id: string; readonly user: string; readonly csrfToken: string };
  /** The own account of staff who make the call as this PSP. */
  readonly staff?: { readonly psp: string; readonly account: string };
  /** Whether it is a test key: its account stands in a tenant for tests, and refs may force outcomes. */
  readonly test?: boolean;
  /** The strictest standing of its account, the account's PSP and, for tests, their live accounts; none where all are ACTIVE. */
  readonly standing?: 'SUSPENDED' | 'CLOSED';
}
