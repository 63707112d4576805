import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { startCodes as start } from '../second-factor.ts';
import { ownSessionChange } from '../session-reply.ts';

const CodesBegun = Named('CodesBegun', 'A secret for a code generator; nothing is stored until a code confirms it.', {
  secret: Type.String({ description: 'The secret in base32, for typing; shown once.' }),
  address: Type.String({ description: 'The address `otpauth://…` that code generators read from a picture.' }),
  setUp: Type.String({ description: 'Send it to confirmCodes.' }),
  expiresAt: Type.String({ description: 'Until when it can be confirmed, ISO 8601 UTC.' }),
});

export const startCodes = operation({
  ...ownSessionChange,
  id: 'startCodes',
  method: 'POST',
  path: '/v1/session/codes/start',
  summary: 'Begin to set up a code generator',
  description: 'Makes a secret for time-based codes (RFC 6238: SHA-1, six digits, 30 seconds). Needs a recent sign-in.',
  body: Type.Object({}),
  content: CodesBegun,
  example: {},
  refusals: ['SIGN_IN_AGAIN'],
  async handle({ principal, now }, s: Needs<'settings' | 'db' | 'vault'>) {
    return { message: 'confirm it with a code', content: await start(s, principal, now) };
  },
});
