import { clientAsked } from '../../accounts/index.ts';
import { idAsked } from '../../kernel/asked.ts';
import { type Needs, operation, ReasonBody } from '../../kernel/operation.ts';
import { type ChangeNeeds, changeVerification, shownDecision } from '../change-verification.ts';
import { decided } from '../licence-changes.ts';
import { ClientLicences, shownLicences } from '../licence-schema.ts';

export const refuseClientLicence = operation({
  ...shownDecision,
  id: 'refuseClientLicence',
  path: '/v1/client/:clientId/licence/:licenceId/refuse',
  summary: 'Refuse a licence of a client',
  description:
    'The client and its PSP read the reason. An accepted licence may be refused later, as when the authority has withdrawn it.',
  body: ReasonBody,
  content: ClientLicences,
  example: { reason: 'the number is not in the register' },
  async handle(call, s: ChangeNeeds & Needs<'db'>) {
    const { principal, params, body, now } = call;
    const { psp, id: account } = await clientAsked(s, call);
    const id = idAsked('licence', params.licenceId);
    const change = decided(id, 'REFUSED', principal.actor, body.reason);
    const { verification, replayed } = await changeVerification(s, principal, { psp, account }, now, change);
    return { message: 'licence refused', content: shownLicences(verification), replayed };
  },
});
