import { localDate } from '../../../core/calendar.ts';
import { orThrow } from '../../../core/refusal.ts';
import { clientAsked } from '../../accounts/index.ts';
import { CountryCode } from '../../kernel/amounts.ts';
import { Day, Named, type Needs, operation, Reason, Text, Type } from '../../kernel/operation.ts';
import { form } from '../../kernel/text-forms.ts';
import { type ChangeNeeds, changeVerification } from '../change-verification.ts';
import { ClientOwners, shownOwners } from '../owner-schema.ts';
import { faultOf, mostOwners, type Owner, ownersSet, ownersState } from '../owners.ts';
import { zoneOf } from '../shown.ts';

export const setClientOwners = operation({
  id: 'setClientOwners',
  method: 'POST',
  path: '/v1/client/:clientId/owners',
  tag: 'Clients',
  area: 'administration',
  summary: 'Set the owners and directors of a client',
  description:
    "Replaces all owners and directors, who are screened against lists: an empty list says that nobody holds as much as the requirement asks for. Names and dates of birth are stored sealed under the client's key.",
  audience: ['psp', 'client', 'operator'],
  idempotent: true,
  body: Type.Object({
    owners: Type.Array(
      Named('GivenOwner', 'A person who owns a part of a client, or manages it.', {
        name: Text('Full name.', 200),
        sharePercent: Type.String({
          description: 'Percent held, directly or indirectly, as decimal text.',
          ...form(
            '^\\d{1,3}(\\.\\d{1,4})?$',
            'a percentage without a sign, such as 12.5, with at most 4 digits after the point',
          ),
          maxLength: 8,
        }),
        dateOfBirth: Day('Date of birth, `YYYY-MM-DD`.'),
        countryCode: Type.Optional(CountryCode),
        director: Type.Optional(
          Type.Boolean({ description: 'True for a director, who may hold a share of 0. False if it is not sent.' }),
        ),
      }),
      { maxItems: mostOwners, description: 'All owners.' },
    ),
    reason: Type.Optional(Reason),
  }),
  content: ClientOwners,
  conditional: 'getClientOwners',
  example: {
    owners: [{ name: 'Ada Obi', sharePercent: '60', dateOfBirth: '1980-02-29', countryCode: 'NG' }],
  },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'UNKNOWN_COUNTRY'],
  async handle(call, s: ChangeNeeds & Needs<'db' | 'reference'>) {
    const { principal, body, now } = call;
    const client = await clientAsked(s, call);
    const owners = body.owners.map(({ countryCode, director, ...o }): Owner => {
      const country = orThrow(countryCode === undefined ? undefined : s.reference.country(countryCode));
      return {
        name: o.name,
        sharePercent: o.sharePercent,
        dateOfBirth: o.dateOfBirth,
        countryCode: country?.alpha2 ?? null,
        ...(director === true ? { director } : {}),
      };
    });
    const fault = faultOf(owners, localDate(zoneOf(s, client.country), now));
    if (fault) throw fault;
    const key = { psp: client.psp, account: client.id };
    const change = ownersSet(owners, body.reason, call.condition);
    const { verification, replayed } = await changeVerification(s, principal, key, now, change);
    const content = shownOwners(verification, owners);
    return { message: 'owners set', content, replayed, state: ownersState(verification) };
  },
});
