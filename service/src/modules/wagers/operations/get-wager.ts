import { Wager } from '../../../entries/gaming.ts';
import { ownRecordAsked } from '../../kernel/asked.ts';
import { Extended, type Needs, operation } from '../../kernel/operation.ts';
import type { HasRateKeeper } from '../../rates/index.ts';
import { readShownParts, recordParts, shown, shownQuery } from '../gaming.ts';
import { findWager, wagerPersonalRow, wagerResource } from '../wager-store.ts';

export const getWager = operation({
  id: 'getWager',
  method: 'GET',
  path: '/v1/wager/:wagerId',
  tag: 'Gaming',
  summary: 'A wager by its id',
  audience: ['psp', 'client'],
  query: shownQuery,
  content: Extended(Wager, 'WagerDetail', 'A wager with the parts that `expand` names.', recordParts),
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf, params, query }, s: Needs<'db' | 'subjects'> & HasRateKeeper) {
    const asked = readShownParts(query.expand);
    const w = await ownRecordAsked({ principal, onBehalfOf }, 'wager', params.wagerId, (id) =>
      findWager(s.db, principal.psp, id),
    );
    return { message: 'wager found', content: await shown(s, wagerResource(w), w, wagerPersonalRow(w.id), asked) };
  },
});
