import { clientAsked } from '../../accounts/index.ts';
import { idAsked } from '../../kernel/asked.ts';
import { type Needs, OptionalReasonBody, operation } from '../../kernel/operation.ts';
import { type ChangeNeeds, changeVerification, shownDecision } from '../change-verification.ts';
import { decided } from '../licence-changes.ts';
import { ClientLicences, shownLicences } from '../licence-schema.ts';

export const acceptClientLicence = operation({
  ...shownDecision,
  id: 'acceptClientLicence',
  path: '/v1/client/:clientId/licence/:licenceId/accept',
  summary: 'Accept a licence of a client',
  description: 'A hold for the end of an earlier licence is released; one that begins when this one ends is placed.',
  body: OptionalReasonBody,
  content: ClientLicences,
  example: { reason: 'found in the register of the authority' },
  async handle(call, s: ChangeNeeds & Needs<'db'>) {
    const { principal, params, body, now } = call;
    const { psp, id: account } = await clientAsked(s, call);
    const id = idAsked('licence', params.licenceId);
    const change = decided(id, 'ACCEPTED', principal.actor, body.reason ?? null);
    const { verification, replayed } = await changeVerification(s, principal, { psp, account }, now, change);
    return { message: 'licence accepted', content: shownLicences(verification), replayed };
  },
});
