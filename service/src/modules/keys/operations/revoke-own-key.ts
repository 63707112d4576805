import { operation } from '../../kernel/operation.ts';
import { type EndsKeys, revokeWithMade } from '../end-made.ts';
import { ownKey, RevokeBody, RevokedKey } from '../own-key.ts';

export const revokeOwnKey = operation({
  id: 'revokeOwnKey',
  method: 'POST',
  path: '/v1/key/:keyId/revoke',
  tag: 'Keys',
  summary: 'Revoke a key of your own',
  description:
    'The key is refused within a second everywhere. After a leak, send `endMadeSince`, and send it again some seconds later: what people whom the key created made in the meantime is then ended too. The key or person that makes this call is not ended with what was made.',
  audience: ['psp', 'client'],
  body: RevokeBody,
  content: RevokedKey,
  example: { reason: 'leaked' },
  refusals: ['NOT_FOUND', 'LIMIT_REACHED'],
  async handle(call, s: EndsKeys) {
    const { id } = await ownKey(s, call);
    return { message: 'key revoked', content: await revokeWithMade(s, call.principal, id, call.body, call.now) };
  },
});
