// Changes a client's registered details: by its PSP, or the client itself for its own contact.
import { notFound, refuse, said } from '../../../core/refusal.ts';
import { classifications } from '../../../core/standing.ts';
import { AccountResource } from '../../../entries/accounts.ts';
import { type Needs, operation, Reason, Text, Type } from '../../kernel/operation.ts';
import { accountResource, viewerOf } from '../account-resource.ts';
import { findAccount, type HasAccounts } from '../accounts.ts';
import { clientAsked } from '../listed-client.ts';
import { updateClient as change } from '../update-client.ts';

const changeable = ['registeredName', 'email', 'phoneNumber', 'classification', 'organizationTin'] as const;

export const updateClient = operation({
  id: 'updateClient',
  method: 'POST',
  path: '/v1/client/:clientId/update',
  tag: 'Clients',
  area: 'administration',
  summary: "Change a client's data",
  description:
    "Changes only the fields that are present. A client's own key may change `email` and `phoneNumber`; the other fields affect taxes and fees, so only its PSP may change them. The registration number and the country identify a client and cannot be changed: register a new client instead. Sends a Client Change event, unless nothing changes.",
  audience: ['psp', 'client', 'operator'],
  idempotent: true,
  body: Type.Object({
    registeredName: Type.Optional(Text('Registered name.', 300)),
    email: Type.Optional(Type.String({ format: 'email', minLength: 3, maxLength: 254 })),
    phoneNumber: Type.Optional(Text('Telephone number.', 32)),
    classification: Type.Optional(
      Type.Enum(classifications, {
        description: 'Applies to later transactions; recorded ones do not change.',
      }),
    ),
    organizationTin: Type.Optional(Text('Tax identification number.', 60)),
    reason: Type.Optional(Reason),
  }),
  content: AccountResource,
  example: { classification: 'ECOMM_GLOBAL', reason: 'it sells abroad since 1 December' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'subjects'> & HasAccounts) {
    const { principal, body, now } = call;
    const account = await clientAsked(s, call);
    if (!changeable.some((field) => body[field] !== undefined))
      throw refuse('FIELD_INVALID', said`one of the fields ${changeable.join(', ')} is required`);
    const foreign = changeable.filter((f) => body[f] !== undefined && f !== 'email' && f !== 'phoneNumber');
    if (principal.kind === 'client' && foreign.length > 0)
      throw refuse('AUDIENCE', said`the field '${foreign[0]}' of a client is changed by its PSP only`);
    const after = await change(s, principal, account, body, now);
    const psp = await findAccount(s.db, after.psp, after.psp);
    if (!psp) throw notFound();
    return {
      message: 'client updated',
      content: accountResource(s, after, psp, new Date(now).toISOString(), viewerOf(principal)),
    };
  },
});
