import { notFound } from '../../../core/refusal.ts';
import { clientAsked } from '../../accounts/index.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { erased } from '../../kernel/subjects.ts';
import { ClientOwners, shownOwners } from '../owner-schema.ts';
import { ownersState, readOwners } from '../owners.ts';
import { findVerification } from '../verification-store.ts';

export const getClientOwners = operation({
  id: 'getClientOwners',
  method: 'GET',
  path: '/v1/client/:clientId/owners',
  tag: 'Clients',
  area: 'administration',
  summary: 'The owners of a client',
  description: 'With names and dates of birth, so not for auditors. Not found until setClientOwners was called.',
  audience: ['psp', 'client', 'operator'],
  roles: ['administrator', 'reviewer'],
  content: ClientOwners,
  conditional: true,
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'subjects'>) {
    const client = await clientAsked(s, call);
    const shown = await findVerification(s.db, { psp: client.psp, account: client.id });
    const owners = await readOwners(s, shown);
    if (!shown || owners === undefined) throw notFound();
    const content = shownOwners(shown, owners === erased ? undefined : owners);
    return { message: 'owners', content, state: ownersState(shown) };
  },
});
