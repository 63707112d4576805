// GET /v1/wager/:wagerId: a wager by its id.
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { Wager } from '../../../entries/gaming.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Extended, operation } from '../../kernel/operation.ts';
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
  async handle({ principal, params, query }, s: Needs<'db' | 'subjects'> & HasRateKeeper) {
    const asked = readShownParts(query.expand);
    const id = fromWire('wager', params.wagerId ?? '');
    const w = id && (await findWager(s.db, principal.psp, id));
    if (!w || (principal.kind === 'client' && w.account !== principal.account)) throw notFound();
    return { message: 'wager found', content: await shown(s, wagerResource(w), w, wagerPersonalRow(w.id), asked) };
  },
});
