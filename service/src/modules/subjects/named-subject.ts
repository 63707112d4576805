// The person that a request names, by all that they are known by.
import { Type } from 'typebox';
import { identityKinds } from './identity.ts';

export const who = {
  pspId: Type.Optional(
    Type.String({ description: "With an operator's key: the PSP that the person is known to.", maxLength: 64 }),
  ),
  subjects: Type.Array(Type.String({ minLength: 1, maxLength: 400, 'x-characters': 'any' }), {
    description: `All that the person is known by: ${Object.entries(identityKinds)
      .map(([kind, leads]) => `\`${kind}:…\` leads to ${leads}`)
      .join(
        '; ',
      )}. Data recorded under an e-mail is not found by a telephone number, nor the other way round: give both.`,
    minItems: 1,
    maxItems: 20,
  }),
};
