// All PSPs and clients, newest first; for operators only.
import { toWire } from '../../../core/ids.ts';
import { operationalStandings } from '../../../core/standing.ts';
import { AccountResource } from '../../../entries/accounts.ts';
import { idIfAsked } from '../../kernel/asked.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { Extended, type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { accountResource } from '../account-resource.ts';
import { accountQuery, readAccounts } from '../account-search.ts';
import { listAccounts as accountsWhere, type HasAccounts } from '../accounts.ts';

const Account = Extended(AccountResource, 'Account', 'A client or a PSP, with its PSP.', {
  pspId: Type.String(),
});

export const listAccounts = operation({
  id: 'listAccounts',
  method: 'GET',
  path: '/v1/admin/account',
  tag: 'Accounts',
  summary: 'List PSPs and clients',
  audience: ['operator'],
  query: Type.Object({
    ...pageQuery,
    ...countQuery,
    kind: Type.Optional(Type.Enum(['psp', 'client'])),
    pspId: Type.Optional(Type.String({ maxLength: 64 })),
    operationalStanding: Type.Optional(Type.Enum(operationalStandings)),
    ...accountQuery,
    mode: Type.Optional(Type.Enum(['live', 'test'], { description: 'Only live accounts, or only test accounts.' })),
  }),
  content: Page(Account),
  refusals: ['NOT_FOUND'],
  async handle({ query, now }, s: Needs<'settings' | 'db' | 'reference'> & HasAccounts) {
    const at = new Date(now).toISOString();
    const { limit, before } = readPage('client', query);
    const psp = idIfAsked('psp', query.pspId);
    const filter = {
      psp,
      kind: query.kind,
      standing: query.operationalStanding,
      test: query.mode === undefined ? undefined : query.mode === 'test',
      ...readAccounts(s, query, at),
    };
    const rows = await accountsWhere(s.db, { ...filter, before, limit });
    const total = await totalOf(s, query, (db, most) => accountsWhere(db, { ...filter, limit: most }));
    const psps = await s.accounts.load(
      s.db,
      [...new Set(rows.map((a) => a.psp))].map((id) => ({ psp: id, id })),
    );
    return {
      message: 'accounts',
      content: {
        ...page('client', rows, limit, (a) => ({
          pspId: toWire('psp', a.psp),
          ...accountResource(
            s,
            a,
            a.id === a.psp ? a : (psps.get(s.accounts.text({ psp: a.psp, id: a.psp })) ?? a),
            at,
            'operator',
          ),
        })),
        ...total,
      },
    };
  },
});
