import {
  type HasAccounts,
  type HasKeys,
  IssuedKey,
  issuedFor,
  longestGraceHours,
  rotateKey,
} from '../../accounts/index.ts';
import { type Needs, operation, Text, Type } from '../../kernel/operation.ts';
import { ownKey } from '../own-key.ts';

export const rotateOwnKey = operation({
  id: 'rotateOwnKey',
  method: 'POST',
  path: '/v1/key/:keyId/rotate',
  tag: 'Keys',
  summary: 'Replace a key of your own',
  description:
    'Issues a key with the scopes of the given one, which goes on working for `graceHours`. The new key ends after as long a time as the given one was issued for, or never if that was. It is shown only in this response.',
  audience: ['psp', 'client'],
  body: Type.Object({
    name: Type.Optional(Text('Purpose of the new key. Default: that of the former one.', 100)),
    graceHours: Type.Optional(
      Type.Integer({
        description: 'Ends the former key after so many hours; 0: at once. Default: 24.',
        minimum: 0,
        maximum: longestGraceHours,
      }),
    ),
  }),
  content: IssuedKey,
  example: { graceHours: 24 },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer'> & HasAccounts & HasKeys) {
    const key = await ownKey(s, call);
    const { name = key.name, graceHours = 24 } = call.body;
    const asked = { name, scopes: key.scopes, lastsMs: await issuedFor(s.db, key) };
    return {
      message: 'key issued; keep apiKey, it is not shown again',
      content: await rotateKey(s, call.principal, key.account, asked, graceHours * 3_600_000, call.now, key.id),
    };
  },
});
