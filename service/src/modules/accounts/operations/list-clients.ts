// The calling PSP's clients, newest first, and one by its id (a client sees itself).
import { Type } from 'typebox';
import { accountFromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { AccountResource } from '../../../entries/accounts.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operation } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { accountResource, viewerOf } from '../account-resource.ts';
import { findAccount, listAccounts } from '../accounts.ts';

export const AccountSearch = Type.Optional(
  Type.String({
    description: 'Part of the name or of the registration number, in any case.',
    minLength: 1,
    maxLength: 200,
  }),
);

export const OnHold = Type.Optional(
  Type.Enum(['true', 'false'], {
    description: 'Only accounts with, or only those without, a blocking hold, which declines every transaction.',
  }),
);
export const onHoldAt = (asked: 'true' | 'false' | undefined, at: string) =>
  asked === undefined ? undefined : { is: asked === 'true', at };

export const listClients = operation({
  id: 'listClients',
  method: 'GET',
  path: '/v1/client',
  tag: 'Clients',
  summary: "List the PSP's clients",
  audience: ['psp'],
  query: Type.Object({
    ...pageQuery,
    operationalStanding: Type.Optional(Type.Enum(['ACTIVE', 'SUSPENDED', 'CLOSED'])),
    onHold: OnHold,
    q: AccountSearch,
  }),
  content: Page(AccountResource),
  async handle({ principal, query, now }, s: Needs<'settings' | 'db'>) {
    const { limit, before } = readPage('client', query);
    const viewer = viewerOf(principal);
    const at = new Date(now).toISOString();
    const psp = await findAccount(s.db, principal.psp, principal.psp);
    if (!psp) throw notFound();
    const rows = await listAccounts(s.db, {
      psp: principal.psp,
      kind: 'client',
      standing: query.operationalStanding,
      search: query.q,
      onHold: onHoldAt(query.onHold, at),
      before,
      limit,
    });
    return { message: 'clients', content: page('client', rows, limit, (a) => accountResource(s, a, psp, at, viewer)) };
  },
});

export const getClient = operation({
  id: 'getClient',
  method: 'GET',
  path: '/v1/client/:clientId',
  tag: 'Clients',
  summary: 'A client by its id',
  audience: ['psp', 'client'],
  content: AccountResource,
  refusals: ['NOT_FOUND'],
  async handle({ principal, params, now }, s: Needs<'settings' | 'db'>) {
    const id = accountFromWire(params.clientId ?? '');
    if (!id || (principal.kind === 'client' && id !== principal.account)) throw notFound();
    const account = await findAccount(s.db, principal.psp, id);
    const psp = await findAccount(s.db, principal.psp, principal.psp);
    if (!account || !psp) throw notFound();
    return {
      message: 'client found',
      content: accountResource(
        s,
        account,
        account.id === psp.id ? account : psp,
        new Date(now).toISOString(),
        viewerOf(principal),
      ),
    };
  },
});
