// What proves who signs in: the methods, from where the sign-in comes, and who needs a second factor. Decides nothing
// about a password, a code or a passkey.
import type { Role } from '../../core/roles.ts';
import { recordedNetwork } from '../../platform/network.ts';
import type { SecondFactor, SignInMethod } from '../../records/sessions.ts';
import type { Settings } from '../../settings.ts';
import type { Call } from '../kernel/operation.ts';
import type { Session, User } from './user-store.ts';

/** When and where a sign-in comes from: the moment, the network, and the browser's name for itself. */
export type From = Pick<Call, 'now' | 'network' | 'agent'>;

/** A call of somebody who is signed in. */
export type OwnCall = From & Pick<Call, 'principal'>;

export interface Proof {
  readonly method: SignInMethod;
  readonly secondFactor: SecondFactor | null;
}

/** The network in the form for records; null if it is unknown. */
export const recordedFrom = ({ network }: From): string | null => recordedNetwork(network?.replace(/\/64$/, ''));

/** The browser's name for itself in the form for records: printable characters, at most 200. */
export const recordedAgent = ({ agent }: From): string | null =>
  agent === undefined ? null : agent.replaceAll(/[^ -~]/g, '?').slice(0, 200);

/** Whether a password alone does not let the person in. */
export const hasSecondFactor = (u: User): boolean => u.totpSince !== null || (u.passkeys ?? []).length > 0;

export const needsSecondFactor = (setting: Settings['requireSecondFactor'], role: Role): boolean =>
  setting === 'all' || (setting === 'administrators' && role === 'administrator');

/** A passkey checks its holder by itself. */
const isStrong = ({ method, secondFactor }: Pick<Session, 'method' | 'secondFactor'>): boolean =>
  method === 'PASSKEY' || secondFactor !== null;

/** What a person must do before anything else. Somebody who did not use a password is not asked to change it. */
export const firstOf = (
  setting: Settings['requireSecondFactor'],
  u: Pick<User, 'role' | 'passwordKind'>,
  session: Pick<Session, 'method' | 'secondFactor'>,
): 'PASSWORD' | 'SECOND_FACTOR' | undefined =>
  session.method === 'PASSWORD' && u.passwordKind === 'ONE_TIME'
    ? 'PASSWORD'
    : needsSecondFactor(setting, u.role) && !isStrong(session)
      ? 'SECOND_FACTOR'
      : undefined;
