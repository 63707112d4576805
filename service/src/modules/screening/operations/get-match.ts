import { notFound } from '../../../core/refusal.ts';
import { recordAsked } from '../../kernel/asked.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
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
    const found = await recordAsked('match', params.matchId, (id) =>
      findMatch(s.db, principal.kind === 'operator' ? undefined : principal.psp, id),
    );
    if (onBehalfOf !== undefined && found.account !== onBehalfOf) throw notFound();
    return { message: 'match', content: await matchResource(s, found, principal) };
  },
});
