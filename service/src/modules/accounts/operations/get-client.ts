// GET /v1/client/:clientId: a client by its id.
import { Type } from 'typebox';
import { accountFromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { AccountResource } from '../../../entries/accounts.ts';
import { Requirements } from '../../../entries/verifications.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Extended, operation } from '../../kernel/operation.ts';
import { accountResource, viewerOf } from '../account-resource.ts';
import { findAccount } from '../accounts.ts';
import type { HasRequirementsOf } from './verify-client-status.ts';

export const getClient = operation({
  id: 'getClient',
  method: 'GET',
  path: '/v1/client/:clientId',
  tag: 'Clients',
  area: 'administration',
  summary: 'A client by its id',
  audience: ['psp', 'client'],
  query: Type.Object({
    expand: Type.Optional(Type.Enum(['requirements'], { description: '`requirements` adds what it has to show.' })),
  }),
  content: Extended(AccountResource, 'ClientInFull', 'A client or a PSP, with what it has to show.', {
    requirements: Type.Optional(Requirements),
  }),
  refusals: ['NOT_FOUND'],
  async handle({ principal, params, query, now }, s: Needs<'settings' | 'db'> & HasRequirementsOf) {
    const id = accountFromWire(params.clientId ?? '');
    if (!id || (principal.kind === 'client' && id !== principal.account)) throw notFound();
    const account = await findAccount(s.db, principal.psp, id);
    const psp = await findAccount(s.db, principal.psp, principal.psp);
    if (!account || !psp) throw notFound();
    const owner = account.id === psp.id ? account : psp;
    return {
      message: 'client found',
      content: {
        ...accountResource(s, account, owner, new Date(now).toISOString(), viewerOf(principal)),
        ...(query.expand === undefined ? {} : { requirements: await s.requirementsOf(s.db, account, now) }),
      },
    };
  },
});
