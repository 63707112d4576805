// Says from which day on a client or a PSP owes tax on its sales in a country.
import { notFound, orThrow, refuse, said } from '../../../core/refusal.ts';
import { trades } from '../../../core/standing.ts';
import { taxNumberKinds, taxSchemes } from '../../../core/tax/supplier.ts';
import { supplies } from '../../../core/tax/supplies.ts';
import { AccountResource } from '../../../entries/accounts.ts';
import { CountryCode } from '../../kernel/amounts.ts';
import { Day, type Needs, operation, Reason, Text, Type } from '../../kernel/operation.ts';
import { subdivisionCode } from '../../kernel/text-forms.ts';
import { accountResource, viewerOf } from '../account-resource.ts';
import { findAccount, type HasAccounts } from '../accounts.ts';
import { accountAsked } from '../listed-client.ts';
import { changeTaxProfiles } from '../tax-profiles.ts';

export const setTaxProfile = operation({
  id: 'setTaxProfile',
  method: 'POST',
  path: '/v1/client/:clientId/tax-profile',
  tag: 'Clients',
  area: 'administration',
  summary: 'Say whether a client owes tax on its sales',
  description:
    'The sales of a client that is not registered, or is exempt, bear none of the tax that sales in the country contain. Without a profile it counts as registered. In force from `validFrom` on, for transactions of that day and later. Recorded ones do not change; a correction of their days adjusts them. A profile of the same country and day is replaced.',
  audience: ['psp', 'operator'],
  idempotent: true,
  body: Type.Object({
    countryCode: CountryCode,
    validFrom: Day('First day, `YYYY-MM-DD`, in that country.'),
    registered: Type.Boolean({ description: 'Whether it is registered for the tax on sales.' }),
    scheme: Type.Optional(Type.Enum(taxSchemes, { description: 'STANDARD if absent.' })),
    taxNumber: Type.Optional(Text('Its number at the tax authority.', 60)),
    taxNumberKind: Type.Optional(
      Type.Enum(taxNumberKinds, {
        description:
          'Kind of the number, whose form and check digits it is compared with; those of all kinds if absent.',
      }),
    ),
    subdivision: Type.Optional(Type.String({ ...subdivisionCode, maxLength: 6, description: 'ISO 3166-2.' })),
    supply: Type.Optional(
      Type.Enum(supplies, {
        description: 'Kind of goods or services it sells, where the merchant category code of a sale does not say.',
      }),
    ),
    reason: Type.Optional(Reason),
  }),
  content: AccountResource,
  example: {
    countryCode: 'KE',
    validFrom: '2026-01-01',
    registered: false,
    scheme: 'SMALL_BUSINESS',
    reason: 'its turnover is below KES 5 million',
  },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'UNKNOWN_COUNTRY', 'LIMIT_REACHED'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'reference'> & HasAccounts) {
    const { principal, body, now } = call;
    const account = await accountAsked(s, call, call.params.clientId);
    if (!trades(account)) throw notFound();
    const country = orThrow(s.reference.country(body.countryCode));
    if (body.subdivision !== undefined && !body.subdivision.startsWith(`${country.alpha2}-`))
      throw refuse('FIELD_INVALID', said`the field 'subdivision' must begin with ${country.alpha2}-`);
    if (body.taxNumberKind !== undefined && body.taxNumber === undefined)
      throw refuse('FIELD_REQUIRED', "the field 'taxNumberKind' needs the field 'taxNumber'");
    if (body.scheme === 'SMALL_BUSINESS' && body.registered)
      throw refuse('FIELD_INVALID', "the field 'registered' must be false for a SMALL_BUSINESS, which charges no tax");
    const after = await changeTaxProfiles(s, principal, account, { ...body, country: country.alpha2 }, now);
    const psp = await findAccount(s.db, after.psp, after.psp);
    if (!psp) throw notFound();
    return {
      message: 'tax profile set',
      content: accountResource(s, after, psp, new Date(now).toISOString(), viewerOf(principal)),
    };
  },
});
