// A passkey as its person sees it, in replies.
import { Named, Nullable, Type } from '../kernel/operation.ts';

export const Passkey = Named('Passkey', 'A passkey with which a person signs in.', {
  passkeyId: Type.String({ description: 'Id of the passkey, `pky_…`.' }),
  name: Type.String({ description: 'Name that its person gave it.' }),
  createdAt: Type.String({ description: 'When it was added, ISO 8601 UTC.' }),
  usedAt: Nullable(Type.String({ description: 'When it last signed in, ISO 8601 UTC; null if it has not yet.' })),
});

/** What a browser needs to ask an authenticator; passed to it as it is. */
export const PasskeyOptions = Named('PasskeyOptions', 'Options with which a browser asks for a passkey.', {
  options: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'The options of WebAuthn as JSON, for `navigator.credentials`; the challenge ends after five minutes.',
  }),
});
