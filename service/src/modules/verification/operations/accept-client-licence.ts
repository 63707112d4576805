// POST /v1/client/:clientId/licence/:licenceId/accept: accept a licence.

import { clientAsked } from '../../accounts/index.ts';
import { idAsked } from '../../kernel/asked.ts';
import { type Needs, OptionalReasonBody, operation } from '../../kernel/operation.ts';
import { type ChangeNeeds, changeVerification } from '../change-verification.ts';
import { decided } from '../licence-changes.ts';
import { ClientLicences, shownLicences } from '../licence-schema.ts';

export const acceptClientLicence = operation({
  id: 'acceptClientLicence',
  method: 'POST',
  path: '/v1/client/:clientId/licence/:licenceId/accept',
  tag: 'Clients',
  area: 'administration',
  summary: 'Accept a licence of a client',
  description: 'A hold for the end of an earlier licence is released; one that begins when this one ends is placed.',
  audience: ['operator'],
  roles: ['administrator', 'reviewer'],
  idempotent: true,
  body: OptionalReasonBody,
  content: ClientLicences,
  example: { reason: 'found in the register of the authority' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: ChangeNeeds & Needs<'db'>) {
    const { principal, params, body, now } = call;
    const { psp, id: account } = await clientAsked(s, call);
    const id = idAsked('licence', params.licenceId);
    const change = decided(id, 'ACCEPTED', principal.actor, body.reason ?? null);
    const { verification, replayed } = await changeVerification(s, principal, { psp, account }, now, change);
    return { message: 'licence accepted', content: shownLicences(verification), replayed };
  },
});
