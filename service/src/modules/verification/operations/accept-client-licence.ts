// POST /v1/client/:clientId/licence/:licenceId/accept: accept a licence.
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import type { Needs } from '../../kernel/needs.ts';
import { OptionalReasonBody, operation } from '../../kernel/operation.ts';
import { type ChangeNeeds, changeVerification } from '../change-verification.ts';
import { decided } from '../licence-changes.ts';
import { ClientLicences, shownLicences } from '../licence-schema.ts';
import { clientAsked } from '../named-client.ts';

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
    const id = fromWire('licence', params.licenceId ?? '');
    if (!id) throw notFound();
    const change = decided(id, 'ACCEPTED', principal.actor, body.reason ?? null);
    const { verification, replayed } = await changeVerification(s, principal, { psp, account }, now, change);
    return { message: 'licence accepted', content: shownLicences(verification), replayed };
  },
});
