import { idAsked } from '../../kernel/asked.ts';
import { operation } from '../../kernel/operation.ts';
import { type EndsKeys, revokeWithMade } from '../end-made.ts';
import { RevokeBody, RevokedKey } from '../own-key.ts';

export const revokeKey = operation({
  id: 'revokeKey',
  method: 'POST',
  path: '/v1/admin/key/:keyId/revoke',
  tag: 'Accounts',
  summary: 'Revoke a key',
  audience: ['operator'],
  body: RevokeBody,
  content: RevokedKey,
  example: { reason: 'leaked' },
  refusals: ['NOT_FOUND', 'LIMIT_REACHED'],
  async handle(call, s: EndsKeys) {
    const id = idAsked('key', call.params.keyId);
    return { message: 'key revoked', content: await revokeWithMade(s, call.principal, id, call.body, call.now) };
  },
});
