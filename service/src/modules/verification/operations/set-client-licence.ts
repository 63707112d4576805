import { localDate } from '../../../core/calendar.ts';
import { orThrow } from '../../../core/refusal.ts';
import { licenceActivities } from '../../../core/requirements/requirement.ts';
import { clientAsked } from '../../accounts/index.ts';
import { CountryCode } from '../../kernel/amounts.ts';
import { Day, type Needs, operation, Text, Type } from '../../kernel/operation.ts';
import { form } from '../../kernel/text-forms.ts';
import { type ChangeNeeds, changeVerification } from '../change-verification.ts';
import { added } from '../licence-changes.ts';
import { ClientLicences, shownLicences } from '../licence-schema.ts';
import { zoneOf } from '../shown.ts';

export const setClientLicence = operation({
  id: 'setClientLicence',
  method: 'POST',
  path: '/v1/client/:clientId/licence',
  tag: 'Clients',
  area: 'administration',
  summary: 'Add a licence of a client',
  description:
    "It counts once staff have accepted it. 30 and 7 days before an accepted licence ends, and on its last day, the client and its PSP get a Client Change event; from the day after on in the client's country, the client is on hold with the public code LICENCE_EXPIRED until a new licence is accepted.",
  audience: ['psp', 'client', 'operator'],
  idempotent: true,
  body: Type.Object({
    activity: Type.Enum(licenceActivities, { description: 'Business that it permits.' }),
    authority: Type.String({
      description: 'Short name of the authority, as in the requirement: `MGA`.',
      ...form('^[A-Z][A-Z0-9-]{0,29}$', "at most 30 capital letters, digits and '-', the first a letter, such as MGA"),
      maxLength: 30,
    }),
    number: Text('Number of the licence.', 100),
    countryCode: CountryCode,
    validUntil: Type.Optional(
      Day("Last day on which it is valid, in the client's country, `YYYY-MM-DD`; absent if it does not end."),
    ),
  }),
  content: ClientLicences,
  example: {
    activity: 'GAMING',
    authority: 'MGA',
    number: 'MGA/B2C/394/2017',
    countryCode: 'MT',
    validUntil: '2027-08-31',
  },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'UNKNOWN_COUNTRY', 'LIMIT_REACHED'],
  async handle(call, s: ChangeNeeds & Needs<'db' | 'reference'>) {
    const { principal, body: b, now } = call;
    const client = await clientAsked(s, call);
    const country = orThrow(s.reference.country(b.countryCode));
    const licence = {
      id: s.ids.next(),
      activity: b.activity,
      authority: b.authority,
      number: b.number,
      country: country.alpha2,
      validUntil: b.validUntil ?? null,
      addedBy: principal.actor,
    };
    const today = localDate(zoneOf(s, client.country), now);
    const key = { psp: client.psp, account: client.id };
    const { verification, replayed } = await changeVerification(s, principal, key, now, added(licence, today));
    return {
      message: replayed ? 'licence added before' : 'licence added',
      content: shownLicences(verification),
      replayed,
    };
  },
});
