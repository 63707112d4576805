// A fee row in the form of a request.
import { Type } from 'typebox';
import type { FeeRule } from '../../core/fee.ts';
import { fromWire } from '../../core/ids.ts';
import { clip } from '../../core/reference.ts';
import { orThrow, refuse, said } from '../../core/refusal.ts';
import { findAccount } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { AmountText, form, rowId } from '../kernel/text-forms.ts';

const Texts = Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 50 }));
const Day = Type.String({ ...form('^\\d{4}-\\d{2}-\\d{2}$', 'a day, such as 2026-11-21'), maxLength: 10 });

export const feeFields = {
  feeId: Type.String({ ...rowId, maxLength: 80 }),
  pspId: Type.Optional(Type.String({ maxLength: 64, description: 'PSP the row applies to; default: all.' })),
  operations: Texts,
  classifications: Texts,
  countries: Texts,
  currency: Type.Optional(Type.String({ maxLength: 12, description: 'Currency the row applies to; default: all.' })),
  percent: Type.String({
    ...form(
      '^\\d{1,3}(\\.\\d{1,8})?$',
      'a percentage without a sign, such as 1.5, with at most 8 digits after the point',
    ),
    maxLength: 12,
    description: 'Percentage of the gross amount.',
  }),
  fixed: AmountText('Added to the percentage.'),
  min: AmountText('Lowest fee.'),
  max: AmountText('Highest fee.'),
  validFrom: Day,
  validTo: Type.Optional(Day),
};
const fee = Type.Object(feeFields);
export type FeeAsked = Type.Static<typeof fee>;

/** @throws NOT_FOUND, UNKNOWN_COUNTRY */
export async function readFee(s: Needs<'db' | 'reference'>, b: FeeAsked): Promise<FeeRule> {
  const psp = b.pspId === undefined ? undefined : fromWire('psp', b.pspId);
  if (b.pspId !== undefined && !(psp && (await findAccount(s.db, psp, psp))?.kind === 'psp'))
    throw refuse('NOT_FOUND', said`the field 'pspId' names no PSP: '${clip(b.pspId)}'`);
  const countries = (b.countries ?? []).map((c) => {
    const known = orThrow(s.reference.country(c, 'countries'));
    return known.alpha2;
  });
  return {
    feeId: b.feeId,
    ...(psp ? { psp } : {}),
    operations: b.operations ?? [],
    classifications: b.classifications ?? [],
    countries,
    ...(b.currency === undefined ? {} : { currency: b.currency }),
    percent: b.percent,
    ...(b.fixed === undefined ? {} : { fixed: b.fixed }),
    ...(b.min === undefined ? {} : { min: b.min }),
    ...(b.max === undefined ? {} : { max: b.max }),
    validFrom: b.validFrom,
    validTo: b.validTo ?? null,
  };
}
