// POST /v1/admin/account/:accountId/key: issue a further key.
import { Type } from 'typebox';
import { refuse } from '../../../core/refusal.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operation } from '../../kernel/operation.ts';
import { accountParam } from '../account-changes.ts';
import type { HasAccounts } from '../accounts.ts';
import { addKey } from '../administer-keys.ts';
import { IssuedKey, keyFields, longestGraceHours } from '../key-fields.ts';
import type { HasKeys } from '../keys.ts';
import { rotateKey } from '../rotate-key.ts';

export const issueKey = operation({
  id: 'issueKey',
  method: 'POST',
  path: '/v1/admin/account/:accountId/key',
  tag: 'Administration',
  summary: 'Issue a further key',
  description:
    'A key of mode `test` belongs to a test account, separate from the live one and created with its first key; the response names it (`clientId`). See the how-to on testing an integration.',
  audience: ['operator'],
  body: Type.Object({
    ...keyFields,
    graceHours: Type.Optional(
      Type.Integer({
        description: 'Ends all other keys of the account after so many hours; 0: at once.',
        minimum: 0,
        maximum: longestGraceHours,
      }),
    ),
  }),
  content: IssuedKey,
  example: { name: 'rotation 2026-12' },
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault' | 'subjects'> & HasAccounts & HasKeys) {
    const id = accountParam(call);
    const { name, expiresAt, mode = 'live', graceHours, scopes } = call.body;
    // The key that is left when all others have ended must not end by itself, nor be another account's.
    if (graceHours !== undefined && (expiresAt !== undefined || mode === 'test'))
      throw refuse('FIELD_INVALID', "the field 'graceHours' does not go with 'expiresAt' or the mode 'test'");
    const content =
      graceHours === undefined
        ? await addKey(s, call.principal, id, { name, expiresAt, mode, scopes }, call.now)
        : await rotateKey(s, call.principal, id, { name, scopes }, graceHours * 3_600_000, call.now);
    return { message: 'key issued; keep apiKey, it is not shown again', content };
  },
});
