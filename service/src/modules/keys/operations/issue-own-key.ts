import { addKey, type HasAccounts, IssuedKey, keyFields } from '../../accounts/index.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { ownAccount } from '../own-key.ts';

export const issueOwnKey = operation({
  id: 'issueOwnKey',
  method: 'POST',
  path: '/v1/key',
  tag: 'Keys',
  summary: 'Issue a key of your own',
  description:
    'The key is shown only in this response. It has no more scopes than the key it was issued with. With `x-client-id`, a PSP issues a key of its client.',
  audience: ['psp', 'client'],
  standing: 'active',
  body: Type.Object(keyFields),
  content: IssuedKey,
  example: { name: 'checkout', scopes: ['payments'] },
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault' | 'subjects'> & HasAccounts) {
    const { name, expiresAt, mode, scopes } = call.body;
    return {
      message: 'key issued; keep apiKey, it is not shown again',
      content: await addKey(s, call.principal, await ownAccount(s, call), { name, expiresAt, mode, scopes }, call.now),
    };
  },
});
