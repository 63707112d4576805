// Months of operators: which are open, and closing one.
import { Type } from 'typebox';
import { Refusal } from '../../../core/refusal.ts';
import { concernedAccount, type HasAccounts, listedAccount } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Named, operation } from '../../kernel/operation.ts';
import { closing } from '../analysis/close-period.ts';
import { listPeriods } from '../analysis/period-store.ts';
import { periodResource } from '../analysis/resources.ts';
import { Month, PeriodResource } from '../analysis/schemas.ts';

/** Ten years of months of an operator, or the newest of a PSP's clients. */
const mostPeriods = 1_000;

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
    const account = concernedAccount(principal, onBehalfOf);
    if (account instanceof Refusal) throw account;
    return s.committer.submit(closing(s, principal, { psp: principal.psp, account }, body.period, now));
  },
});

export const listCdrPeriods = operation({
  id: 'listCdrPeriods',
  method: 'GET',
  path: '/v1/telecom/period',
  tag: 'Telecom',
  summary: 'Months of call detail records, with their state',
  audience: ['psp', 'client'],
  content: Named('CallPeriodList', 'All months that have records.', { items: Type.Array(PeriodResource) }),
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf }, s: Needs<'db'> & HasAccounts) {
    const account = await listedAccount(s, principal, onBehalfOf);
    if (account instanceof Refusal) throw account;
    const items = await listPeriods(s.db, principal.psp, account, mostPeriods);
    return { message: 'months', content: { items: items.map((p) => periodResource(principal.psp, p)) } };
  },
});
