import { toWire } from '../../../core/ids.ts';
import { Named, type Needs, operation, Text, Type } from '../../kernel/operation.ts';
import { ApprovedBy, expectSecondPerson, type TakesApproved } from '../../kernel/second-person.ts';
import type { HasAccounts } from '../accounts.ts';
import { createAccount } from '../administer.ts';
import { operatorText } from '../approved-keys.ts';

export const createOperator = operation({
  id: 'createOperator',
  method: 'POST',
  path: '/v1/admin/operator',
  tag: 'Accounts',
  summary: 'Create an operator with its first key',
  audience: ['operator'],
  body: Type.Object({ name: Text('Name of the person or tool.', 300), proposalId: ApprovedBy }),
  content: Named('OperatorCredentials', 'A new operator with its first key.', {
    operatorId: Type.String({ description: 'Its account, `psp_…` as those of PSPs.' }),
    name: Type.String(),
    apiKey: Type.String(),
  }),
  example: { name: 'Night shift' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'TWO_PERSONS'],
  async handle(
    { principal, body, now },
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault' | 'subjects'> & HasAccounts & TakesApproved,
  ) {
    await expectSecondPerson(s, { principal, now }, body.proposalId, {
      kind: 'OPERATOR',
      content: operatorText(body.name),
    });
    const id = s.ids.next();
    const name = body.name.trim();
    const { apiKey } = await createAccount(s, principal, { psp: id, id, kind: 'operator', name }, now);
    // Operators stand alone in their tenant, as PSPs do, and share the form of their id.
    return {
      message: 'operator created; keep apiKey, it is not shown again',
      content: { operatorId: toWire('psp', id), name, apiKey },
    };
  },
});
