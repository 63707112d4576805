// POST /v1/admin/key/:keyId/revoke: revoke a key.
import { Type } from 'typebox';
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Named, operation, ReasonBody } from '../../kernel/operation.ts';

import type { HasAccounts } from '../accounts.ts';
import { revokeKey as revoke } from '../administer-keys.ts';
import type { HasKeys } from '../keys.ts';

export const revokeKey = operation({
  id: 'revokeKey',
  method: 'POST',
  path: '/v1/admin/key/:keyId/revoke',
  tag: 'Administration',
  summary: 'Revoke a key',
  audience: ['operator'],
  body: ReasonBody,
  content: Named('RevokedKey', 'The API key that was revoked.', { keyId: Type.String(), revokedAt: Type.String() }),
  example: { reason: 'leaked' },
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer'> & HasAccounts & HasKeys) {
    const id = fromWire('key', call.params.keyId ?? '');
    if (!id) throw notFound();
    return {
      message: 'key revoked',
      content: await revoke(s, call.principal, id, call.body.reason, call.now),
    };
  },
});
