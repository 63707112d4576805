import { restrictionKinds } from '../../../core/players/restriction.ts';
import { RestrictionResource } from '../../../entries/players.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { listRestrictions, restrictionResource } from '../player-store.ts';

export const listPlayerRestrictions = operation({
  id: 'listPlayerRestrictions',
  method: 'GET',
  path: '/v1/player/restriction',
  tag: 'Players',
  area: 'records',
  summary: 'List exclusions and limits of players',
  description:
    'Without saying whose they are: a player is stored as keyed hashes. getPlayer finds those of one player.',
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    kind: Type.Optional(Type.Enum(restrictionKinds)),
    source: Type.Optional(Type.String({ description: "A register's name, PLAYER or OPERATOR.", maxLength: 60 })),
    inForce: Type.Optional(Type.Enum(['true'], { description: '`true`: only those in force.' })),
    ...clientQuery,
  }),
  content: Page(RestrictionResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { principal, query: q, now } = call;
    const { limit, before } = readPage('restriction', q);
    const account = await listedClient(s, call, q.clientId);
    const at = new Date(now).toISOString();
    const rows = await listRestrictions(s.db, {
      psp: principal.psp,
      account,
      kind: q.kind,
      source: q.source,
      at: q.inForce === undefined ? undefined : at,
      before,
      limit,
    });
    return { message: 'restrictions', content: page('restriction', rows, limit, (r) => restrictionResource(r, at)) };
  },
});
