// POST /v1/client/:clientId/licence/:licenceId/refuse: refuse a licence.

import { clientAsked } from '../../accounts/index.ts';
import { idAsked } from '../../kernel/asked.ts';
import { type Needs, operation, ReasonBody } from '../../kernel/operation.ts';
import { type ChangeNeeds, changeVerification } from '../change-verification.ts';
import { decided } from '../licence-changes.ts';
import { ClientLicences, shownLicences } from '../licence-schema.ts';

export const refuseClientLicence = operation({
  id: 'refuseClientLicence',
  method: 'POST',
  path: '/v1/client/:clientId/licence/:licenceId/refuse',
  tag: 'Clients',
  area: 'administration',
  summary: 'Refuse a licence of a client',
  description:
    'The client and its PSP read the reason. An accepted licence may be refused later, as when the authority has withdrawn it.',
  audience: ['operator'],
  roles: ['administrator', 'reviewer'],
  idempotent: true,
  body: ReasonBody,
  content: ClientLicences,
  example: { reason: 'the number is not in the register' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: ChangeNeeds & Needs<'db'>) {
    const { principal, params, body, now } = call;
    const { psp, id: account } = await clientAsked(s, call);
    const id = idAsked('licence', params.licenceId);
    const change = decided(id, 'REFUSED', principal.actor, body.reason);
    const { verification, replayed } = await changeVerification(s, principal, { psp, account }, now, change);
    return { message: 'licence refused', content: shownLicences(verification), replayed };
  },
});
