import { accountFromWire } from '../../../core/ids.ts';
import { notFound, phrase, refuse, said } from '../../../core/refusal.ts';
import { AccountResource } from '../../../entries/accounts.ts';
import { Requirements } from '../../../entries/verifications.ts';
import { reaches } from '../../kernel/asked.ts';
import { Extended, Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { accountResource, viewerOf } from '../account-resource.ts';
import { findAccount } from '../accounts.ts';
import { contactOf } from '../register.ts';
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
    expand: Type.Optional(
      Type.Enum(['requirements', 'contact'], {
        description:
          '`requirements` adds what it has to show; `contact` adds its e-mail and telephone number, not for auditors.',
      }),
    ),
  }),
  content: Extended(AccountResource, 'ClientInFull', 'A client or a PSP, with what it has to show.', {
    requirements: Type.Optional(Requirements),
    contact: Type.Optional(
      Nullable(
        Named('ClientContact', 'Contact of a client.', {
          email: Type.String({ description: 'E-mail of the contact.' }),
          phoneNumber: Type.Optional(Type.String({ description: 'Telephone number of the contact.' })),
        }),
        'With `expand=contact` only: its contact; null if it has none, or it was erased.',
      ),
    ),
  }),
  refusals: ['NOT_FOUND', 'ROLE'],
  async handle(
    { principal, onBehalfOf, params, query, now },
    s: Needs<'settings' | 'db' | 'subjects'> & HasRequirementsOf,
  ) {
    const id = accountFromWire(params.clientId ?? '');
    if (!id || !reaches({ principal, onBehalfOf }, id)) throw notFound();
    if (query.expand === 'contact' && (principal.role === 'auditor' || principal.role === 'member'))
      throw refuse(
        'ROLE',
        said`the contact of a client is for administrators and reviewers; yours is ${phrase(principal.role)}`,
      );
    const account = await findAccount(s.db, principal.psp, id);
    const psp = await findAccount(s.db, principal.psp, principal.psp);
    if (!account || !psp) throw notFound();
    const owner = account.id === psp.id ? account : psp;
    return {
      message: 'client found',
      content: {
        ...accountResource(s, account, owner, new Date(now).toISOString(), viewerOf(principal)),
        ...(query.expand === 'requirements' ? { requirements: await s.requirementsOf(s.db, account, now) } : {}),
        ...(query.expand === 'contact' ? { contact: (await contactOf(s, account)) ?? null } : {}),
      },
    };
  },
});
