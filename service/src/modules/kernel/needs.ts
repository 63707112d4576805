// The services that code may require. A function names what it needs: `Needs<'db' | 'ids'>`. Modules name what they
// offer (`HasAccounts`). app.ts builds one object of all, and the compiler ensures that nothing else is used.
import type { FeeSchedule } from '../../core/fee.ts';
import type { Reference } from '../../core/reference.ts';
import type { RuleBook } from '../../core/tax/book.ts';
import type { BackgroundPauses } from '../../platform/background-pauses.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Committer } from '../../platform/committer.ts';
import type { Pool } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Outgoing } from '../../platform/outgoing.ts';
import type { Passwords } from '../../platform/passwords.ts';
import type { IdMaker } from '../../platform/random.ts';
import type { Vault } from '../../platform/sealed-secrets.ts';
import type { Settings } from '../../settings.ts';
import type { SubjectKeys } from './subjects.ts';

export type { Principal } from './principal.ts';

export interface Platform {
  readonly settings: Settings;
  readonly clock: Clock;
  /** Measures ages and rates; unaffected by corrections of the machine's clock. */
  readonly monotonic: Clock;
  readonly ids: IdMaker;
  readonly log: Log;
  /** For reading, and for transactions that record with `recordIn`. */
  readonly db: Pick<Pool, 'query' | 'transaction'>;
  readonly committer: Pick<Committer, 'submit' | 'within' | 'pspOf' | 'depth'>;
  readonly backgroundPauses: BackgroundPauses;
  readonly vault: Vault;
  readonly reference: Reference;
  /** The tax rules and fees in force; replaced as a whole when they change. */
  readonly rates: { book: RuleBook; fees: FeeSchedule };
  readonly passwords: Passwords;
  readonly subjects: SubjectKeys;
  /** Validates webhook addresses. */
  readonly outgoing: Pick<Outgoing, 'check'>;
}

export type Needs<K extends keyof Platform> = Pick<Platform, K>;
