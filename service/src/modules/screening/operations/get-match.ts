// GET /v1/list-matches/:matchId: one match with an entry of a list.
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operation } from '../../kernel/operation.ts';
import { MatchResource, matchResource } from '../match-resource.ts';
import { findMatch } from '../match-store.ts';

export const getMatch = operation({
  id: 'getMatch',
  method: 'GET',
  path: '/v1/list-matches/:matchId',
  tag: 'Lists',
  area: 'records',
  summary: 'A match with an entry of a list',
  description: 'With the score of each field. A client never learns of a match: keep what you read here from it.',
  audience: ['psp', 'operator'],
  content: MatchResource,
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf, params }, s: Needs<'db' | 'vault' | 'subjects'>) {
    const id = fromWire('match', params.matchId ?? '');
    const found = id && (await findMatch(s.db, principal.kind === 'operator' ? undefined : principal.psp, id));
    if (!found || (onBehalfOf !== undefined && found.account !== onBehalfOf)) throw notFound();
    return { message: 'match', content: await matchResource(s, found) };
  },
});
