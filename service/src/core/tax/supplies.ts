// What a sale is of, as tax laws distinguish supplies, and which merchant category codes (ISO 18245) sell it. Pure.
import { mccRange } from './rule.ts';

export const supplies = [
  'lodging',
  'restaurants',
  'groceries',
  'books',
  'newspapers',
  'medicine',
  'medical',
  'education',
  'insurance',
  'financial',
  'passenger_transport',
  'air_travel',
] as const;
export type Supply = (typeof supplies)[number];

/** What a line of a basket may be: `other` is none of those above, and bears the standard rate. */
export const goodsCategories = [...supplies, 'other'] as const;
export type GoodsCategory = (typeof goodsCategories)[number];

interface SupplyRow {
  readonly supply: Supply;
  readonly mccRanges: readonly string[];
  /** Local calendar dates, the end excluded; absent while a row has always been as it is. */
  readonly validFrom?: string;
  readonly validTo?: string;
}

/**
 * Codes of merchants most of whose sales are of one kind. Left out, so that the standard rate applies: bars (5813),
 * cruises (4411), opticians' goods (8043), child care (8351), wholesale of medicines (5122).
 */
const table: readonly SupplyRow[] = [
  { supply: 'lodging', mccRanges: ['3501-3999', '7011', '7032-7033'] },
  { supply: 'restaurants', mccRanges: ['5811-5812', '5814'] },
  { supply: 'groceries', mccRanges: ['5411', '5422', '5451', '5462', '5499'] },
  { supply: 'books', mccRanges: ['5942'] },
  { supply: 'newspapers', mccRanges: ['5994'] },
  { supply: 'medicine', mccRanges: ['5912'] },
  { supply: 'medical', mccRanges: ['4119', '8011', '8021', '8031', '8041-8042', '8049-8050', '8062', '8071', '8099'] },
  { supply: 'education', mccRanges: ['8211', '8220', '8241', '8244', '8249', '8299'] },
  { supply: 'insurance', mccRanges: ['5960', '6300', '6381', '6399'] },
  { supply: 'financial', mccRanges: ['4829', '6010-6012', '6050-6051', '6211', '6529-6540'] },
  { supply: 'passenger_transport', mccRanges: ['4111-4112', '4121', '4131'] },
  { supply: 'air_travel', mccRanges: ['3000-3350', '4511'] },
];

/** The rows of a merchant code, by its number: a question is asked for each sale. */
const rowsOf: (readonly SupplyRow[] | undefined)[] = [];
for (const row of table)
  for (const [from, to] of row.mccRanges.map(mccRange))
    for (let code = from; code <= to; code++) rowsOf[code] = [...(rowsOf[code] ?? []), row];

/** What a merchant of this code sells on a day; undefined if the code stands for several kinds. */
export function supplyOf(mcc: string | undefined, date: string): Supply | undefined {
  if (mcc === undefined) return undefined;
  return rowsOf[Number(mcc)]?.find((r) => date >= (r.validFrom ?? '') && (r.validTo === undefined || date < r.validTo))
    ?.supply;
}

/** The codes of merchants, or ranges of them, that sell this. */
export const mccRangesOf = (supply: Supply): readonly string[] =>
  table.flatMap((row) => (row.supply === supply ? row.mccRanges : []));

/**
 * Codes of merchants whose sales are consumed on the spot, and are no kind of supply of the table above. They are taxed
 * where they are performed, no matter who the customer is (in the EU's VAT directive: property and tolls, article 47; cruises,
 * 48; events and attractions, 53; bars, 55; short hire of vehicles, 56), or are goods handed over there: fuel.
 */
export const onTheSpotMccs: readonly string[] = [
  ...['3351-3500', '4411', '4784', '4789', '5541-5542', '5552', '5813', '7012', '7512-7513', '7519', '7523'],
  ...['7832', '7911', '7922', '7932-7933', '7941', '7991-7992', '7994', '7996', '7998-7999'],
];
