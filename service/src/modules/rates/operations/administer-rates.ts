// Staff operations on rates: supersede a country's tax rules, add and end fee rows.
import { Type } from 'typebox';
import { toWire } from '../../../core/ids.ts';
import { exactJson } from '../../../core/json.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Named, Nullable, operation, Prose } from '../../kernel/operation.ts';
import { feeFields, readFee } from '../fee-fields.ts';
import type { HasRateKeeper } from '../rate-keeper.ts';

type Uses = Needs<'settings' | 'ids' | 'db' | 'committer' | 'reference'> & HasRateKeeper;

const Reason = Prose('Reason; recorded in the journal.', 500);

const CountryFile = (description: string) => Type.Object({}, { additionalProperties: true, description });

const FeeName = Named('FeeName', 'The fee row that was changed.', { feeId: Type.String() });

export const loadTax = operation({
  id: 'loadTax',
  method: 'POST',
  path: '/v1/admin/tax',
  tag: 'Administration',
  summary: "Supersede a country's tax rules",
  description:
    'Takes effect within a second on every process. The whole file is refused if a row is malformed, has no source, overlaps another or leaves a gap.',
  audience: ['operator'],
  largeBody: true,
  body: Type.Object({
    reason: Reason,
    country: CountryFile('A country file as service/data/tax/README.md describes.'),
    further: Type.Optional(
      Type.Array(CountryFile('A country file.'), { description: 'In force with it, or none of them.', maxItems: 250 }),
    ),
  }),
  content: Named('LoadedTax', 'The tax rules that are now in force.', {
    jurisdiction: Type.String(),
    dataset: Type.String(),
    rules: Type.Integer(),
  }),
  refusals: ['RATES_INVALID', 'TWO_PERSONS'],
  async handle({ principal, body, now }, s: Uses) {
    const texts = [body.country, ...(body.further ?? [])].map((file, i) => ({
      name: i === 0 ? 'country' : `further[${i - 1}]`,
      text: exactJson(file),
    }));
    const dataset = await s.rateKeeper.loadTax(s, principal, texts, body.reason, now);
    const country = JSON.parse((texts[0] as { text: string }).text) as { jurisdiction: string; rules: unknown[] };
    return {
      message: 'tax rules superseded',
      content: { jurisdiction: country.jurisdiction, dataset, rules: country.rules.length },
    };
  },
});

export const setFee = operation({
  id: 'setFee',
  method: 'POST',
  path: '/v1/admin/fee',
  tag: 'Administration',
  summary: 'Add a fee row',
  description: 'The most specific matching row applies: a PSP’s own row before a general one.',
  audience: ['operator'],
  body: Type.Object({ ...feeFields, reason: Reason }),
  content: FeeName,
  example: {
    feeId: 'EXAMPLE-PAY-ZERO-2026',
    operations: ['cryptoDeposit', 'cryptoWithdrawal'],
    percent: '0',
    validFrom: '2026-01-01',
    reason: 'contract of 2026',
  },
  refusals: ['RATES_INVALID', 'NOT_FOUND', 'UNKNOWN_COUNTRY', 'TWO_PERSONS'],
  async handle({ principal, body: b, now }, s: Uses) {
    await s.rateKeeper.addFee(s, principal, await readFee(s, b), b.reason, now);
    return { message: 'fee row added', content: { feeId: b.feeId } };
  },
});

export const endFee = operation({
  id: 'endFee',
  method: 'POST',
  path: '/v1/admin/fee/:feeId/end',
  tag: 'Administration',
  summary: 'End a fee row',
  description: 'The row is kept as evidence for the records priced with it.',
  audience: ['operator'],
  body: Type.Object({ reason: Reason }),
  content: FeeName,
  example: { reason: 'contract ended' },
  refusals: ['NOT_FOUND', 'TWO_PERSONS'],
  async handle({ principal, body, params, now }, s: Needs<'settings' | 'ids' | 'db' | 'committer'> & HasRateKeeper) {
    const feeId = params.feeId ?? '';
    await s.rateKeeper.endFee(s, principal, feeId, body.reason, now);
    return { message: 'fee row ended', content: { feeId } };
  },
});

const Texts = (description: string) => Type.Array(Type.String(), { description });

export const listFees = operation({
  id: 'listFees',
  method: 'GET',
  path: '/v1/admin/fee',
  tag: 'Administration',
  summary: 'Fee rows in force',
  audience: ['operator'],
  content: Named('FeeList', 'All fee rows in force.', {
    items: Type.Array(
      Named('Fee', 'A fee row in force.', {
        feeId: Type.String(),
        operations: Texts('Operations the row applies to; all if empty.'),
        classifications: Texts('Classifications the row applies to; all if empty.'),
        countries: Texts('Countries the row applies to; all if empty.'),
        currency: Type.Optional(Type.String({ description: 'Currency the row applies to.' })),
        percent: Type.String({ description: 'Percentage of the gross amount.' }),
        fixed: Type.Optional(Type.String({ description: 'Added to the percentage.' })),
        min: Type.Optional(Type.String({ description: 'Lowest fee.' })),
        max: Type.Optional(Type.String({ description: 'Highest fee.' })),
        validFrom: Type.String({ description: 'First day of the row.' }),
        validTo: Nullable(Type.String(), 'First day after the row; null while it is in force.'),
        pspId: Nullable(Type.String(), 'PSP the row applies to; null: all.'),
      }),
    ),
  }),
  async handle(_, s: Needs<'rates'>) {
    const items = s.rates.fees.rules.map(({ psp, ...r }) => ({ ...r, pspId: psp ? toWire('psp', psp) : null }));
    return { message: 'fees', content: { items } };
  },
});
