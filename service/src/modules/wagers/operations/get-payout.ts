import { Payout } from '../../../entries/gaming.ts';
import { ownRecordAsked } from '../../kernel/asked.ts';
import { Extended, type Needs, operation } from '../../kernel/operation.ts';
import type { HasRateKeeper } from '../../rates/index.ts';
import { readShownParts, recordParts, shown, shownQuery } from '../gaming.ts';
import { findPayout, payoutPersonalRow, payoutResource } from '../wager-store.ts';

export const getPayout = operation({
  id: 'getPayout',
  method: 'GET',
  path: '/v1/payout/:payoutId',
  tag: 'Gaming',
  summary: 'A payout by its id',
  audience: ['psp', 'client'],
  query: shownQuery,
  content: Extended(Payout, 'PayoutDetail', 'A payout of a wager with the parts that `expand` names.', recordParts),
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf, params, query }, s: Needs<'db' | 'subjects'> & HasRateKeeper) {
    const asked = readShownParts(query.expand);
    const p = await ownRecordAsked({ principal, onBehalfOf }, 'payout', params.payoutId, (id) =>
      findPayout(s.db, principal.psp, id),
    );
    return { message: 'payout found', content: await shown(s, payoutResource(p), p, payoutPersonalRow(p.id), asked) };
  },
});
