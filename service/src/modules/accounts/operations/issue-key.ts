import { accountWire } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { ApprovedBy, expectSecondPerson, type TakesApproved } from '../../kernel/second-person.ts';
import { accountParam } from '../account-changes.ts';
import { findAnyAccount, type HasAccounts } from '../accounts.ts';
import { addKey } from '../administer-keys.ts';
import { operatorKeyText } from '../approved-keys.ts';
import { GraceHours, IssuedKey, keyFields } from '../key-fields.ts';
import type { HasKeys } from '../keys.ts';
import { rotateKey } from '../rotate-key.ts';

export const issueKey = operation({
  id: 'issueKey',
  method: 'POST',
  path: '/v1/admin/account/:accountId/key',
  tag: 'Accounts',
  summary: 'Issue a further key',
  description:
    'A key of mode `test` belongs to a test account, separate from the live one and created with its first key; the response names it (`clientId`). See the how-to on testing an integration. Where two people are required, a key of an operator is proposed with openProposal first.',
  audience: ['operator'],
  body: Type.Object({
    ...keyFields,
    graceHours: GraceHours,
    proposalId: ApprovedBy,
  }),
  content: IssuedKey,
  example: { name: 'rotation 2026-12' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'TWO_PERSONS'],
  async handle(
    call,
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault' | 'subjects'> & HasAccounts & HasKeys & TakesApproved,
  ) {
    const id = accountParam(call);
    const { name, expiresAt, mode, graceHours, scopes } = call.body;
    // The key that is left when all others have ended must not end by itself, nor be another account's.
    if (graceHours !== undefined && (expiresAt !== undefined || mode === 'test'))
      throw refuse('FIELD_INVALID', "the field 'graceHours' does not go with 'expiresAt' or the mode 'test'");
    if ((await findAnyAccount(s.db, id))?.kind === 'operator') {
      const asked = operatorKeyText({ ...call.body, accountId: accountWire(id, id) });
      await expectSecondPerson(s, call, call.body.proposalId, { kind: 'OPERATOR_KEY', content: asked });
    }
    const content =
      graceHours === undefined
        ? await addKey(s, call.principal, id, { name, expiresAt, mode, scopes }, call.now)
        : await rotateKey(s, call.principal, id, { name, scopes }, graceHours * 3_600_000, call.now);
    return { message: 'key issued; keep apiKey, it is not shown again', content };
  },
});
