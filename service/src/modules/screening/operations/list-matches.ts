import { matchStates } from '../../../core/screening/match.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { MatchResource, matchResource } from '../match-resource.ts';
import { listMatchesOf } from '../match-store.ts';
import { ListNameField } from '../schemas.ts';

export const listMatches = operation({
  id: 'listMatches',
  method: 'GET',
  path: '/v1/list-matches',
  tag: 'Lists',
  area: 'records',
  summary: 'List matches with entries of lists',
  description:
    'Clients, customers and wallets that match an entry of a list, newest first, with the score of each field. Each has opened a review. A client never learns of a match: keep what you read here from it.',
  audience: ['psp', 'operator'],
  query: Type.Object({
    ...pageQuery,
    ...clientQuery,
    state: Type.Optional(Type.Enum(matchStates, { description: 'Only matches in this state.' })),
    list: Type.Optional(ListNameField),
  }),
  content: Page(MatchResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'vault' | 'subjects'> & HasAccounts) {
    const { principal, query } = call;
    const { limit, before } = readPage('match', query);
    const psp = principal.kind === 'operator' ? undefined : principal.psp;
    const account = await listedClient(s, call, query.clientId);
    const rows = await listMatchesOf(s.db, { psp, account, state: query.state, list: query.list, before, limit });
    const shown = new Map(
      await Promise.all(rows.map(async (m) => [m.id, await matchResource(s, m, principal)] as const)),
    );
    return { message: 'matches', content: page('match', rows, limit, (m) => shown.get(m.id)) };
  },
});
