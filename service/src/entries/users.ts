// People who sign in, and erased persons: their journal entries.
import { roles } from '../core/roles.ts';
import { Reason } from './accounts.ts';
import { entry } from './define.ts';
import { Named, Nullable, Type } from './schema.ts';

const User = Named('UserRecord', 'A person who may sign in, without name and e-mail address.', {
  userId: Type.String({ description: 'Id of the person, `usr_…`.' }),
  accountId: Type.String({ description: "Account the person works for: the operator's or a PSP's." }),
  role: Type.Enum(roles, { description: 'Role, which decides what the person may do.' }),
  state: Type.Enum(['ACTIVE', 'DISABLED'], { description: 'Whether the person may sign in.' }),
  mustChangePassword: Type.Boolean({ description: 'Whether the password is a one-time password.' }),
  failures: Type.Integer({ description: 'Failed sign-ins in a row.' }),
  lockedUntil: Nullable(Type.String(), 'After five failed sign-ins: until when, ISO 8601 UTC.'),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
const user = { data: User, evidence: Type.Optional(Reason) };

export const userEntries = {
  'user.created/1': entry('A person was given an account to sign in with.', { data: User }),
  'user.updated/1': entry('A person was disabled, enabled or given another role.', user),
  'user.password_changed/1': entry('A password was changed or reset.', user),
  'user.sign_in_failed/1': entry('Somebody gave a wrong password for a person.', user),
  'user.signed_in/1': entry('A person signed in.', user),
  'user.signed_in/2': entry('A person signed in.', {
    data: User,
    evidence: Named('SignInProof', 'How a person signed in.', {
      method: Type.Enum(['PASSWORD', 'PASSKEY', 'PROVIDER'], { description: 'The first proof.' }),
      secondFactor: Nullable(
        Type.Enum(['CODE', 'RECOVERY_CODE', 'PASSKEY', 'PROVIDER']),
        'The second proof; null if there was none. A passkey needs none.',
      ),
    }),
  }),
  'user.sessions_ended/1': entry('Sessions of a person were ended.', {
    data: User,
    evidence: Named('SessionsEnded', 'Which sessions were ended, and why.', {
      sessionId: Nullable(Type.String(), 'The session, `ses_…`; null for all, or for all others of the person.'),
      reason: Nullable(Type.String(), 'Reason; null if the person ended them.'),
    }),
  }),
  'user.second_factor_changed/1': entry('How a person signs in was changed.', {
    data: User,
    evidence: Named('SecondFactorChange', 'A change of how a person signs in.', {
      change: Type.Enum(
        [
          ...['CODES_SET_UP', 'CODES_REMOVED', 'RECOVERY_CODES_MADE', 'PASSKEY_ADDED', 'PASSKEY_RENAMED'],
          ...['PASSKEY_REMOVED', 'RESET'],
        ] as const,
        { description: 'What was changed; RESET removed every second factor.' },
      ),
      passkeyId: Nullable(Type.String(), 'The passkey, `pky_…`; null for other changes.'),
      reason: Nullable(Type.String(), 'Reason; null if the person changed it.'),
    }),
  }),
  'user.signed_out/1': entry('A person signed out.', user),
  'subject.erased/1': entry('The keys of a person were destroyed.', {
    data: Named('ErasureRecord', 'An erasure as it is kept in the journal.', {
      erasureId: Type.String({ description: 'Id of the erasure, `ers_…`.' }),
      pspId: Type.String({ description: 'The PSP whose records were concerned.' }),
      subjects: Type.Array(Type.String(), { description: 'Names of the keys that were destroyed.' }),
      rejectedLines: Type.Integer({ description: 'Rejected lines of files that were dropped.' }),
    }),
    evidence: Reason,
  }),
};
