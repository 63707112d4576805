// The questions of a tax row: what it answers at its edges and next to them, and what somebody asks whom it does not concern.
// They follow from the row's own fields, and from the days on which other rows of its country change.
import { type CountryRows, codesOf, isPublishedOnly, type Row, type RowQuestion } from './second-reading.ts';

/** The dataset answers from this day on. */
const firstAnswered = '2024-01-01';

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

const allSupplies = [
  ...['lodging', 'restaurants', 'groceries', 'books', 'newspapers', 'medicine', 'medical', 'education', 'insurance'],
  ...['financial', 'passenger_transport', 'air_travel'],
];
const schemes = ['SMALL_BUSINESS', 'FLAT_RATE', 'EXEMPT', 'STANDARD', 'NOT_REGISTERED'];

export const decimalsIn = (currencies: readonly { readonly code: string; readonly decimals: number }[]) => {
  const known = new Map(currencies.map((c) => [c.code, c.decimals]));
  return (code: string) => known.get(code) ?? 2;
};

/** The days on which the row is asked first: of its first day on which the country answers, and those on which others change. */
function daysOf(row: Row, country: CountryRows): string[] {
  const isIn = (day: string) => day >= row.validFrom && (row.validTo === null || day < row.validTo);
  const first = row.validFrom > firstAnswered ? row.validFrom : firstAnswered;
  const changes = country.rules.flatMap((r) => [r.validFrom, ...(r.validTo === null ? [] : [r.validTo])]);
  return [...new Set([first, row.validFrom, ...changes.sort()])].filter(isIn);
}

const kindOf = (row: Row): Partial<RowQuestion> => {
  const kind = { telecom_sms: 'sms', telecom_data: 'data' }[row.category] ?? 'voice';
  return {
    kind,
    seconds: 90,
    ...(row.base === 'DATA_MB' ? { dataKb: '5120' } : {}),
    ...(row.category === 'telecom_incoming' ? { origin: 'FR', received: true } : {}),
    ...(row.category === 'telecom_outgoing' ? { isOutgoing: true } : {}),
  };
};

/** Everything that may be asked of a row on a day so that it answers, the plainest first. */
function* asked(row: Row, country: CountryRows): Generator<RowQuestion> {
  const lines = row.productLines?.length
    ? row.productLines
    : [undefined, ...new Set(country.rules.flatMap((r) => r.productLines ?? [])), 'another line'];
  const codes = row.mccRanges.length > 0 ? row.mccRanges.flatMap((m) => m.split('-')) : [undefined, '5999'];
  const sold: (string | undefined)[] = row.supplies ? [...row.supplies] : [undefined, ...allSupplies];
  for (const operation of row.operations)
    for (const date of daysOf(row, country))
      for (const classification of row.classifications.length > 0 ? row.classifications : ['', 'ECOMM_LOCAL'])
        for (const productLine of lines)
          for (const supply of operation === 'verifyTransaction' ? sold : [undefined])
            for (const mcc of operation === 'verifyTransaction' && supply === undefined ? codes : [undefined])
              for (const customer of row.customer === undefined ? [undefined] : [row.customer])
                yield {
                  operation,
                  date,
                  classification,
                  ...(mcc === undefined ? {} : { mcc }),
                  ...(supply === undefined ? {} : { supply }),
                  ...(customer === undefined ? {} : { customer }),
                  ...(row.client === undefined ? {} : { scheme: row.client }),
                  ...(row.subdivision === undefined ? {} : { subdivision: row.subdivision }),
                  ...(productLine === undefined ? {} : { productLine }),
                  currency: row.currency !== undefined && isOfMoney(row) ? row.currency : country.currency,
                  ...amountsOf(row),
                  ...(operation === 'recordCDR' ? kindOf(row) : {}),
                };
}

const isOfMoney = (row: Row): boolean => !['MINUTES', 'COUNT', 'DATA_MB'].includes(row.base);

/** Large enough that the third decimal of a rate shows, and above the limits of the row. */
const amountsOf = (
  row: Row,
): { amount: string; fee: string; stake?: string; before?: NonNullable<RowQuestion['before']> } => ({
  amount: row.base === 'FEE' ? '1000000' : above(row),
  fee: row.base === 'FEE' ? '100000' : '1000',
  ...(row.operations.includes('capturePayout') ? { stake: '0' } : {}),
  ...(row.summedOver?.of === undefined
    ? {}
    : { before: { base: row.threshold ?? row.atLeast ?? '0', records: row.summedOver.minRecords ?? 1 } }),
});

function above(row: Row): string {
  const ends = [...(row.brackets ?? []), ...(row.slabs ?? [])].map((b) => b.upTo);
  const limits = [row.atLeast, row.threshold, row.allowance, ...ends].map((text) => Number(text ?? '0'));
  return String(10 ** Math.max(5, Math.ceil(Math.log10(2 * Math.max(...limits)))));
}

/** A question that the row answers; undefined if there is none. */
export function answeredBy(
  row: Row,
  country: CountryRows,
  speaks: (q: RowQuestion) => boolean,
): RowQuestion | undefined {
  if (isPublishedOnly(row)) return undefined;
  for (const q of asked(row, country)) if (speaks(q)) return q;
  return undefined;
}

/** A smallest unit more or less; whole numbers of units, so that the text is exact. */
const unitsFrom = (text: string, units: number, decimals: number): string => {
  const [whole = '', part = ''] = text.split('.');
  const all = BigInt(whole + part.padEnd(decimals, '0').slice(0, decimals)) + BigInt(units);
  const digits = (all < 0n ? 0n : all).toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** Amounts at the limits that a row names, one smallest unit below and above them. */
export function limitsOf(row: Row, decimals: number): string[] {
  const ends = [...(row.brackets ?? []), ...(row.slabs ?? [])].flatMap((b) => (b.upTo === undefined ? [] : [b.upTo]));
  const free = row.allowance ?? '0';
  const last = ends.at(-1);
  const capped =
    row.maxTax === undefined || row.rate === undefined
      ? []
      : [String(Math.ceil((Number(row.maxTax) * 100) / Number(row.rate)) + Number(free))];
  const limits = [row.atLeast, row.threshold, row.allowance, ...ends, ...capped].filter((x) => x !== undefined);
  return [
    ...new Set([
      ...limits.flatMap((at) => [-1, 0, 1].map((units) => unitsFrom(at, units, decimals))),
      ...[last, row.allowance, row.threshold, ...capped].flatMap((at) =>
        at === undefined ? [] : [unitsFrom(String(Number(at) * 3), 0, decimals)],
      ),
    ]),
  ].filter((text) => Number(text) > 0);
}

/** The question with an amount at a limit of the row; of a law that counts a period, as the first in it that is compared. */
export const atLimit = (row: Row, q: RowQuestion, amount: string): RowQuestion => ({
  ...q,
  ...(row.base === 'FEE' ? { fee: amount } : { amount, fee: '0' }),
  ...(q.before === undefined ? {} : { before: { ...q.before, base: '0' } }),
});

/** A question, with words for it where its answer is wrong. */
export type Asked = readonly [what: string, q: RowQuestion];

/** What is asked of a row from a question on that it answers. */
export function questionsOf(row: Row, country: CountryRows, q: RowQuestion, decimals: number): Asked[] {
  const out: Asked[] = [['as it is', q]];
  const also = (what: string, over: Partial<RowQuestion>) => out.push([what, { ...q, ...over }]);
  const without = (what: string, ...keys: (keyof RowQuestion)[]) => {
    const rest: Record<string, unknown> = { ...q };
    for (const key of keys) delete rest[key];
    out.push([what, rest as unknown as RowQuestion]);
  };
  const isSale = q.operation === 'verifyTransaction';

  also('the day before its first', { date: dayAfter(row.validFrom, -1) });
  also('its first day', { date: row.validFrom });
  if (row.validTo !== null) {
    also('its last day', { date: dayAfter(row.validTo, -1) });
    also('the day after its last', { date: row.validTo });
  }
  also('an amount that has to be rounded', { amount: decimals === 0 ? '77777' : '77777.77', fee: '333' });
  for (const amount of limitsOf(row, decimals)) out.push([`an amount of ${amount}`, atLimit(row, q, amount)]);
  if (row.currency !== undefined || limitsOf(row, 2).length > 0)
    also('an amount in another currency', { currency: 'XDR' });

  if (q.operation === 'capturePayout') {
    also('with a stake', { stake: '30000' });
    also('in two payments', { paidBefore: limitsOf(row, decimals)[1] ?? '40000', stake: '10' });
  }
  for (const operation of row.operations.filter((o) => o !== q.operation)) also(`as ${operation}`, { operation });
  for (const classification of row.classifications.length > 0 ? [...row.classifications, 'CRYPTO_LOCAL'] : [])
    also(`of ${classification}`, { classification });
  for (const productLine of row.productLines ?? []) also(`of the line ${productLine}`, { productLine });
  if (row.operations.some((o) => o.startsWith('capture'))) {
    also('of a line that nobody knows', { productLine: 'no such line' });
    without('of no line', 'productLine');
  }
  if (row.subdivision !== undefined) {
    without('in no part of the country', 'subdivision');
    also('in another part of the country', { subdivision: `${country.jurisdiction}-999` });
  }
  if (isSale) {
    for (const range of row.mccRanges) {
      const [first = '', last = first] = range.split('-');
      const near = [Number(first) - 1, Number(first), Number(last), Number(last) + 1];
      for (const code of new Set(near)) also(`of the merchant code ${code}`, { mcc: String(code).padStart(4, '0') });
    }
    for (const supply of row.supplies ?? []) {
      also(`of ${supply}, as the caller says`, { supply });
      for (const mcc of codesOf(supply)) {
        const { supply: _, ...rest } = q;
        out.push([`of ${supply}, by the code ${mcc}`, { ...rest, mcc }]);
      }
    }
    for (const supply of row.exceptSupplies ?? []) also(`of ${supply}, which it leaves out`, { supply });
    if (row.exceptOnTheSpot) also('of a bar', { mcc: '5813' });
    if (row.supplies === undefined && row.mccRanges.length === 0) also('of a car dealer', { mcc: '5511' });
    without('of a merchant of which nothing is known', 'mcc', 'supply');
    if (row.customer !== undefined) {
      without('to somebody at home', 'customer');
      const other = row.customer === 'BUSINESS_ABROAD' ? 'BUSINESS_AT_HOME' : 'BUSINESS_ABROAD';
      also('to another kind of customer', { customer: other });
    } else also('to a business abroad', { customer: 'BUSINESS_ABROAD' });
    for (const scheme of row.client !== undefined || row.base === 'GROSS_INCLUSIVE' ? schemes : [])
      also(`of a client that is ${scheme}`, { scheme });
    if (row.client !== undefined) without('of a client of which nothing is known', 'scheme');
  }
  if (row.summedOver?.of !== undefined) {
    without('when nothing was paid before', 'before');
    also('one short of the limit', { before: { base: '0', records: (row.summedOver.minRecords ?? 2) - 2 } });
  }
  if (q.operation === 'recordCDR') {
    for (const kind of ['voice', 'sms', 'data']) also(`of ${kind}`, { kind, dataKb: '5120' });
    for (const origin of [...(row.exemptOrigins ?? []), 'US']) also(`that comes from ${origin}`, { origin });
    without('that comes from nowhere abroad', 'origin');
    also('that goes abroad', { isOutgoing: true });
    if (!isOfMoney(row)) {
      also('received', { received: true });
      also('missed', { isMissed: true });
      also('of two and a half minutes', { seconds: 150 });
    }
  }
  return out;
}
