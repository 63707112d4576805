import { everybody, Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { Passkey } from '../passkey-shown.ts';
import { passkeyResource } from '../passkeys.ts';
import { ownSession } from '../second-factor.ts';
import { needsSecondFactor } from '../sign-in-proof.ts';

const SecondFactors = Named('SecondFactors', 'Second factors of a person.', {
  required: Type.Boolean({ description: 'Whether a second factor is required of this person.' }),
  codesSince: Nullable(
    Type.String({ description: 'When the code generator was set up, ISO 8601 UTC; null if none is.' }),
  ),
  passkeys: Type.Array(Passkey, { description: 'Passkeys, oldest first.' }),
  recoveryCodesLeft: Type.Integer({ description: 'Recovery codes that were not used yet.' }),
});

export const getSecondFactors = operation({
  id: 'getSecondFactors',
  method: 'GET',
  path: '/v1/session/second-factor',
  tag: 'Session',
  summary: "One's own second factors",
  audience: everybody,
  access: 'session',
  content: SecondFactors,
  async handle({ principal }, s: Needs<'settings' | 'db'>) {
    const { user } = await ownSession(s, principal);
    return {
      message: 'second factors',
      content: {
        required: needsSecondFactor(s.settings.requireSecondFactor, user.role),
        codesSince: user.totpSince,
        passkeys: (user.passkeys ?? []).map(passkeyResource),
        recoveryCodesLeft: (user.recoveryCodes ?? []).length,
      },
    };
  },
});
