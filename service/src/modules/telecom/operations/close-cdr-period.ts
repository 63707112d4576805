import { orThrow } from '../../../core/refusal.ts';
import { concernedAccount, type HasAccounts } from '../../accounts/index.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { closing } from '../analysis/close-period.ts';
import { Month } from '../analysis/schemas.ts';

export const closeCdrPeriod = operation({
  id: 'closeCdrPeriod',
  method: 'POST',
  path: '/v1/telecom/period/close',
  tag: 'Telecom',
  summary: 'Close a month of call detail records',
  description:
    "The month must have ended in the country's calendar. Records that arrive for it later count in the next open month, as late adjustments. A closed month cannot be reopened; closing it again changes nothing.",
  audience: ['psp', 'client'],
  body: Type.Object({ period: Month('Month to close, YYYY-MM.') }),
  content: Named('ClosedCallPeriod', 'The month whose records are being closed.', {
    clientId: Type.String(),
    period: Type.String(),
    country: Type.String(),
  }),
  example: { period: '2026-10' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(
    { principal, onBehalfOf, body, now },
    s: Needs<'ids' | 'committer' | 'reference' | 'rates'> & HasAccounts,
  ) {
    const account = orThrow(concernedAccount(principal, onBehalfOf));
    return s.committer.submit(closing(s, principal, { psp: principal.psp, account }, body.period, now));
  },
});
