import { clientAsked } from '../../accounts/index.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { ClientLicences, shownLicences } from '../licence-schema.ts';
import { findVerification } from '../verification-store.ts';

export const listClientLicences = operation({
  id: 'listClientLicences',
  method: 'GET',
  path: '/v1/client/:clientId/licence',
  tag: 'Clients',
  area: 'administration',
  summary: 'List the licences of a client',
  audience: ['psp', 'client', 'operator'],
  content: ClientLicences,
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { psp, id } = await clientAsked(s, call);
    const found = await findVerification(s.db, { psp, account: id });
    return { message: 'licences', content: shownLicences(found ?? { psp, account: id, licences: [] }) };
  },
});
