// A month of 540 mixed transactions of clients in nine countries, some in another currency, with weekends and a day without a
// rate: each box of their returns is worked out from the raw requests, the published rates and the law, and compared with the return, with the statement of settlement, and, after the return was filed and sales were
// declined, with the adjustments of the next month.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sumOf } from '../../src/core/sums.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { numbersOf, totalled } from '../totals/life.ts';

/** Cents. */
type Cents = bigint;
const text = (c: Cents) =>
  (c < 0n ? '-' : '') +
  String((c < 0n ? -c : c) / 100n) +
  (c % 100n === 0n ? '' : `.${String((c < 0n ? -c : c) % 100n).padStart(2, '0')}`).replace(/0$/, '');
/** Contained in a price, to the nearest cent, halves up. @param perMille rate in tenths of a per cent */
const contained = (gross: Cents, perMille: bigint): Cents =>
  (gross * perMille * 2n + (1000n + perMille)) / (2n * (1000n + perMille));
const wholeDown = (c: Cents): Cents => c - (c % 100n);
const nearest = (c: Cents): Cents => (c < 0n ? -nearest(-c) : wholeDown(c + 50n));

/** What is sold: its code, its treatment by the law, and the rate in tenths of a per cent. */
type Kind = 'RATED' | 'EXEMPT' | 'ZERO' | 'ABROAD';
interface Supply {
  readonly mcc: string;
  readonly kind: Kind;
  readonly rate: bigint;
  readonly law: string;
}
interface Land {
  readonly country: string;
  readonly currency: string;
  readonly form: string;
  readonly supplies: readonly Supply[];
  /** Multiple of a price in cents, so that each of several taxes within it is a whole number of cents: 15, 2.5 and 2.5 of 480. */
  readonly step: bigint;
  /** Boxes from the sales, by the form's instructions. */
  boxes(sum: SumOf): Record<string, Cents>;
  /** Of what changed in a filed month, where not those of all sales. */
  corrections?(sum: SumOf): Record<string, Cents>;
  readonly foreign?: Foreign;
}
type SumOf = (rate: bigint | null, kind: Kind, figure: 'net' | 'tax') => Cents;
const abroad = { customerCountry: 'FR', customerTaxNumber: 'FR40303265045' };

const german = { customerCountry: 'DE', customerTaxNumber: 'DE136695976' };

/** Another currency that some of the sales are in, and how the law converts it. */
interface Foreign {
  readonly currency: string;
  readonly timeZone: string;
  /** At the rate published on the day or last before it; of PL, last before the day. */
  convert(amount: Cents, day: string): Cents;
  readonly law: string;
}
/** Published from Monday to Friday, but for the 14th: ten thousandths. */
const publishes = (day: string): boolean => ![0, 6].includes(new Date(day).getUTCDay()) && day !== '2026-10-14';
const rateOn = (first: bigint, day: string): bigint =>
  first + BigInt(Number(day.slice(5, 7)) * 31 + Number(day.slice(8)));
const before = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
const lastPublished = (day: string): string => (publishes(day) ? day : lastPublished(before(day)));
const half = (n: bigint, d: bigint): bigint => (n < 0n ? -half(-n, d) : (2n * n + d) / (2n * d));
const [dollars, zloty] = [10_800n, 42_000n];
const euros = (timeZone: string, law: string): Foreign => ({
  ...{ currency: 'USD', timeZone, law },
  convert: (amount, day) => half(amount * 10_000n, rateOn(dollars, lastPublished(day))),
});

const lands: readonly Land[] = [
  {
    ...{ country: 'DE', currency: 'EUR', form: 'DE-USTVA', step: 1n },
    supplies: [
      { mcc: '5999', kind: 'RATED', rate: 190n, law: '§ 12 Abs. 1 UStG' },
      { mcc: '5942', kind: 'RATED', rate: 70n, law: '§ 12 Abs. 2 Nr. 1 UStG with Anlage 2 Nr. 49' },
      { mcc: '8062', kind: 'EXEMPT', rate: 0n, law: '§ 4 Nr. 14 UStG' },
      { mcc: '7392', kind: 'ABROAD', rate: 0n, law: '§ 3a Abs. 2 UStG' },
    ],
    boxes: (sum) => ({
      81: wholeDown(sum(190n, 'RATED', 'net')),
      '81-Steuer': sum(190n, 'RATED', 'tax'),
      86: wholeDown(sum(70n, 'RATED', 'net')),
      '86-Steuer': sum(70n, 'RATED', 'tax'),
      48: wholeDown(sum(null, 'EXEMPT', 'net')),
      45: wholeDown(sum(null, 'ABROAD', 'net')),
      Umsatzsteuer: sum(null, 'RATED', 'tax'),
      83: sum(null, 'RATED', 'tax'),
    }),
  },
  {
    ...{ country: 'GB', currency: 'GBP', form: 'GB-VAT100', step: 1n },
    supplies: [
      { mcc: '5999', kind: 'RATED', rate: 200n, law: 'VATA 1994 s. 2' },
      { mcc: '5942', kind: 'ZERO', rate: 0n, law: 'VATA 1994 Sch. 8 Group 3' },
      { mcc: '8062', kind: 'EXEMPT', rate: 0n, law: 'VATA 1994 Sch. 9 Group 7' },
      { mcc: '7392', kind: 'ABROAD', rate: 0n, law: 'VATA 1994 s. 7A' },
    ],
    boxes: (sum) => {
      const tax = sum(null, 'RATED', 'tax');
      const kinds: Kind[] = ['RATED', 'ZERO', 'EXEMPT', 'ABROAD'];
      return { 1: tax, 3: tax, 5: tax, 6: wholeDown(kinds.reduce((s, k) => s + sum(null, k, 'net'), 0n)) };
    },
  },
  {
    ...{ country: 'KE', currency: 'KES', form: 'KE-VAT', step: 1n },
    supplies: [
      { mcc: '5999', kind: 'RATED', rate: 160n, law: 'VAT Act 2013 s. 5' },
      { mcc: '8062', kind: 'EXEMPT', rate: 0n, law: 'VAT Act 2013, First Schedule' },
      { mcc: '7392', kind: 'ABROAD', rate: 0n, law: 'Finance Act 2023: exported services are zero-rated' },
    ],
    boxes: (sum) => {
      const [net, tax] = [sum(160n, 'RATED', 'net'), sum(160n, 'RATED', 'tax')];
      const [zero, exempt] = [sum(null, 'ABROAD', 'net'), sum(null, 'EXEMPT', 'net')];
      return { 1: net, '1 VAT': tax, 3: zero, 4: exempt, 5: net + zero + exempt, 6: tax, DUE: tax };
    },
  },
  {
    ...{ country: 'NG', currency: 'NGN', form: 'NG-VAT', step: 1n },
    supplies: [
      { mcc: '5999', kind: 'RATED', rate: 75n, law: 'Nigeria Tax Act 2025 s. 148' },
      { mcc: '7392', kind: 'ABROAD', rate: 0n, law: 'Nigeria Tax Act 2025 s. 187: exported services' },
    ],
    boxes: (sum) => {
      const [net, tax, zero] = [sum(null, 'RATED', 'net'), sum(null, 'RATED', 'tax'), sum(null, 'ABROAD', 'net')];
      return { 10: net + zero, 20: net + zero, 30: zero, 40: net, 45: tax, 80: tax, 95: tax, 120: tax };
    },
  },
  {
    ...{ country: 'FR', currency: 'EUR', form: 'FR-CA3', step: 1n },
    supplies: [
      { mcc: '5999', kind: 'RATED', rate: 200n, law: 'art. 278 CGI' },
      { mcc: '7011', kind: 'RATED', rate: 100n, law: 'art. 279, a CGI' },
      { mcc: '5942', kind: 'RATED', rate: 55n, law: 'art. 278-0 bis, A, 3° CGI' },
      { mcc: '5994', kind: 'RATED', rate: 21n, law: 'art. 298 septies CGI' },
      { mcc: '8062', kind: 'EXEMPT', rate: 0n, law: 'art. 261, 4, 1° CGI' },
      { mcc: '7392', kind: 'ABROAD', rate: 0n, law: 'art. 259, 1° CGI' },
    ],
    foreign: euros('Europe/Paris', 'art. 266, 1 bis CGI'),
    boxes: (sum) => {
      const rates = { '08': 200n, '09': 55n, '9B': 100n, T6: 21n };
      const of = Object.entries(rates).map(([box, rate]) => ({
        ...{ box, net: nearest(sum(rate, 'RATED', 'net')), tax: nearest(sum(rate, 'RATED', 'tax')) },
      }));
      const due = of.reduce((all, b) => all + b.tax, 0n);
      return {
        ...Object.fromEntries(
          of.flatMap(({ box, net, tax }) => [
            [box, net],
            [`${box}-taxe`, tax],
          ]),
        ),
        A1: nearest(sum(null, 'RATED', 'net')),
        E2: nearest(sum(null, 'EXEMPT', 'net') + sum(null, 'ABROAD', 'net')),
        ...{ 16: due, TD: due, 32: due },
      };
    },
  },
  {
    ...{ country: 'ES', currency: 'EUR', form: 'ES-303', step: 1n },
    supplies: [
      { mcc: '5999', kind: 'RATED', rate: 210n, law: 'art. 90 LIVA' },
      { mcc: '7011', kind: 'RATED', rate: 100n, law: 'art. 91.Uno.2.2º LIVA' },
      { mcc: '5942', kind: 'RATED', rate: 40n, law: 'art. 91.Dos.1.2º LIVA' },
      { mcc: '8062', kind: 'EXEMPT', rate: 0n, law: 'art. 20.Uno.2º LIVA: in no box but the annual summary' },
      { mcc: '7392', kind: 'ABROAD', rate: 0n, law: 'art. 69.Uno.1º LIVA' },
    ],
    foreign: euros('Europe/Madrid', 'art. 79.Once LIVA'),
    boxes: (sum) => {
      const due = sum(null, 'RATED', 'tax');
      return {
        ...{ '01': sum(40n, 'RATED', 'net'), '03': sum(40n, 'RATED', 'tax') },
        ...{ '04': sum(100n, 'RATED', 'net'), '06': sum(100n, 'RATED', 'tax') },
        ...{ '07': sum(210n, 'RATED', 'net'), '09': sum(210n, 'RATED', 'tax') },
        ...{ 120: sum(null, 'ABROAD', 'net'), 27: due, 46: due, 66: due, 69: due, 71: due },
      };
    },
    // Modificación de bases y cuotas: of taxed operations.
    corrections: (sum) => {
      const due = sum(null, 'RATED', 'tax');
      return {
        ...{ 14: sum(null, 'RATED', 'net'), 15: due, 120: sum(null, 'ABROAD', 'net') },
        ...{ 27: due, 46: due, 66: due, 69: due, 71: due },
      };
    },
  },
  {
    ...{ country: 'IT', currency: 'EUR', form: 'IT-LIPE', step: 1n },
    supplies: [
      { mcc: '5999', kind: 'RATED', rate: 220n, law: 'art. 16 D.P.R. 633/1972' },
      { mcc: '7011', kind: 'RATED', rate: 100n, law: 'Tabella A, parte III, n. 120' },
      { mcc: '5942', kind: 'RATED', rate: 40n, law: 'Tabella A, parte II, n. 18' },
      { mcc: '8062', kind: 'EXEMPT', rate: 0n, law: 'art. 10, n. 19 D.P.R. 633/1972' },
      { mcc: '7392', kind: 'ABROAD', rate: 0n, law: 'art. 7-ter D.P.R. 633/1972' },
    ],
    foreign: euros('Europe/Rome', 'art. 13, c. 4 D.P.R. 633/1972'),
    boxes: (sum) => {
      const kinds: Kind[] = ['RATED', 'EXEMPT', 'ABROAD'];
      const tax = sum(null, 'RATED', 'tax');
      return { VP2: kinds.reduce((s, k) => s + sum(null, k, 'net'), 0n), VP4: tax, VP6: tax, VP14: tax };
    },
  },
  {
    ...{ country: 'PL', currency: 'PLN', form: 'PL-JPK-V7', step: 1n },
    supplies: [
      { mcc: '5999', kind: 'RATED', rate: 230n, law: 'art. 41 ust. 1, art. 146ef ustawy o VAT' },
      { mcc: '7011', kind: 'RATED', rate: 80n, law: 'art. 41 ust. 2, zał. 3' },
      { mcc: '5942', kind: 'RATED', rate: 50n, law: 'art. 41 ust. 2a, zał. 10' },
      { mcc: '8062', kind: 'EXEMPT', rate: 0n, law: 'art. 43 ust. 1 pkt 18' },
      { mcc: '7392', kind: 'ABROAD', rate: 0n, law: 'art. 28b' },
    ],
    foreign: {
      ...{ currency: 'EUR', timeZone: 'Europe/Warsaw', law: 'art. 31a ust. 1: the last working day before' },
      convert: (amount, day) => half(amount * rateOn(zloty, lastPublished(before(day))), 10_000n),
    },
    boxes: (sum) => {
      const rate = (r: bigint, figure: 'net' | 'tax') => nearest(sum(r, 'RATED', figure));
      const [exempt, away] = [nearest(sum(null, 'EXEMPT', 'net')), nearest(sum(null, 'ABROAD', 'net'))];
      const tax = rate(50n, 'tax') + rate(80n, 'tax') + rate(230n, 'tax');
      return {
        ...{ P_10: exempt, P_11: away, P_15: rate(50n, 'net'), P_16: rate(50n, 'tax'), P_17: rate(80n, 'net') },
        ...{ P_18: rate(80n, 'tax'), P_19: rate(230n, 'net'), P_20: rate(230n, 'tax'), P_38: tax, P_51: tax },
        P_37: exempt + away + rate(50n, 'net') + rate(80n, 'net') + rate(230n, 'net'),
      };
    },
  },
  {
    ...{ country: 'GH', currency: 'GHS', form: 'GH-VAT', step: 480n },
    supplies: [
      { mcc: '5999', kind: 'RATED', rate: 200n, law: 'Act 1151: 15 %, 2.5 % and 2.5 %' },
      { mcc: '8062', kind: 'EXEMPT', rate: 0n, law: 'Act 1151, exempt supplies: medical services' },
    ],
    boxes: (sum) => {
      const [net, tax] = [sum(null, 'RATED', 'net'), sum(null, 'RATED', 'tax')];
      const exempt = sum(null, 'EXEMPT', 'net');
      return {
        ...{ STANDARD: net, VAT: (tax * 15n) / 20n, NHIL_VALUE: net, NHIL: tax / 8n, GETFUND_VALUE: net },
        ...{ GETFUND: tax / 8n, OUTPUT: tax, TAXABLE: net, EXEMPT: exempt, TOTAL: net + exempt, NET: tax },
      };
    },
  },
];

interface Sold extends Supply {
  readonly ref: string;
  /** Tax on the fees, which the PSP owes. */
  readonly onFees: Cents;
  readonly land: Land;
  readonly registered: boolean;
  /** In the land's other currency. */
  readonly foreign: Foreign | undefined;
  readonly day: string;
  /** Price less discounts. */
  readonly gross: Cents;
  declined: boolean;
  /** Charged back in the month. */
  chargedBack: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Wire = any;
let t: TestApp;
let psp: Account;
const clients = new Map<string, Account>();
const clientOf = (land: Land, registered: boolean) => clients.get(`${land.country}|${registered}`) as Account;
const sold: Sold[] = [];
const to = (iso: string) => t.advance(Date.parse(iso) - t.now());

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-09-15T10:00:00Z' });
  psp = await t.makePsp();
  for (const land of lands)
    for (const registered of [true, false]) {
      const client = await t.makeClient(psp, { countryCode: land.country });
      const profile = { countryCode: land.country, validFrom: '2026-01-01', registered };
      contentOf(await t.post(`/v1/client/${client.id}/tax-profile`, profile, psp.apiKey));
      clients.set(`${land.country}|${registered}`, client);
    }
  const below = numbersOf(20261128);
  // The whole of October in every zone of the five.
  to('2026-10-01T01:00:00Z');
  for (let i = 0; i < 540; i++) {
    const land = lands[i % lands.length] as Land;
    const registered = below(8) > 0;
    const supply = land.supplies[below(land.supplies.length)] as Supply;
    const price = land.step * BigInt(1 + below(200_000 / Number(land.step)));
    const discount = land.step === 1n && below(4) === 0 ? price / 10n : 0n;
    const foreign = below(4) === 0 ? land.foreign : undefined;
    const fee = BigInt(below(3)) * 5n;
    if (price < 100n) continue;
    const number = (c: Cents) => JSON.rawJSON(`${c / 100n}.${String(c % 100n).padStart(2, '0')}`);
    const body = {
      ...{
        ref: `o-${i}`,
        totalAmount: number(price),
        currency: foreign?.currency ?? land.currency,
        countryCode: land.country,
      },
      ...{ mcc: supply.mcc, transactionFee: number(fee) },
      paymentMethods: { card: number(price - discount), ...(discount > 0n ? { discounts: number(discount) } : {}) },
      ...(supply.kind === 'ABROAD' ? { taxDetails: land.country === 'FR' ? german : abroad } : {}),
    };
    const client = clientOf(land, registered);
    const c = contentOf(await t.post('/v1/transaction/verifyTransaction', JSON.stringify(body), client.apiKey));
    expect(c.status).toBe('APPROVED');
    const sale = {
      ...supply,
      ref: body.ref,
      onFees: BigInt(Math.round(c.transactionVAT * 100)),
      land,
      registered,
      foreign,
      day: new Date(t.now()).toLocaleDateString('sv', { timeZone: foreign?.timeZone ?? 'UTC' }),
      gross: price - discount,
      declined: false,
      chargedBack: false,
    };
    sold.push(sale);
    const later = below(15);
    if (later === 0) {
      contentOf(await t.post('/v1/transaction/declineTransaction', { ref: sale.ref }, client.apiKey));
      sale.declined = true;
    } else if (later === 1) {
      contentOf(await t.post('/v1/transaction/chargeBack', { ref: sale.ref }, psp.apiKey));
      sale.chargedBack = true;
    }
    t.advance(4_900_000);
  }
  to('2026-11-05T10:00:00Z');
  const days = Array.from({ length: 33 }, (_, i) => new Date(Date.UTC(2026, 8, 29 + i)).toISOString().slice(0, 10));
  const operator = await t.makeOperator();
  const published = (row: (day: string) => string) => days.filter(publishes).map(row);
  const ofDay = (first: bigint, day: string) => Number(rateOn(first, day)) / 10_000;
  for (const lines of [
    ['Date,USD,', ...published((d) => `${d},${ofDay(dollars, d)},`)],
    ['Publisher,Day,Currency,Units,Rate', ...published((d) => `NBP,${d},EUR,1,${ofDay(zloty, d)}`)],
  ])
    contentOf(
      await t.post('/v1/exchange-rates', { name: 'rates.csv', text: `${lines.join('\n')}\n` }, operator.apiKey),
    );
});
afterAll(() => t?.stop());

/** Sums of the client's sales that count, by the law. */
const sums =
  (land: Land, registered: boolean, of: readonly Sold[] = sold): SumOf =>
  (rate, kind, figure) => {
    const counted = of
      .filter((s) => s.land === land && s.registered === registered && !s.declined && !s.chargedBack)
      .filter((s) => s.kind === kind && (rate === null || s.rate === rate));
    const figureOf = (some: readonly Sold[]) =>
      some.reduce((all, s) => {
        const tax = registered ? contained(s.gross, s.rate) : 0n;
        return all + (figure === 'tax' ? tax : s.gross - tax);
      }, 0n);
    // The sales of a day are converted as one amount.
    const abroad = Map.groupBy(
      counted.filter((s) => s.foreign),
      (s) => `${s.mcc} ${s.day}`,
    );
    return [...abroad.values()].reduce(
      (all, some) => all + (land.foreign as Foreign).convert(figureOf(some), (some[0] as Sold).day),
      figureOf(counted.filter((s) => !s.foreign)),
    );
  };

async function returnOf(land: Land, period: string, registered = true) {
  await totalled(t);
  const r = await made(t, { kind: 'filing', form: land.form, period }, psp.apiKey, {
    'x-client-id': clientOf(land, registered).id,
  });
  expect([r.reason, r.state]).toEqual([null, 'DONE']);
  const { body } = await t.get(`/v1/report/${r.reportId}/json`, psp.apiKey);
  const rows = (name: string): Record<string, string | null>[] =>
    body.sections.find((s: Wire) => s.name === name)?.rows ?? [];
  return { id: r.reportId as string, rows };
}
const figuresOf = (rows: readonly Record<string, string | null>[]) =>
  Object.fromEntries(rows.filter((b) => b.figure != null && b.figure !== '0').map((b) => [b.box, b.figure]));
const dueOf = (land: Land, registered = true) =>
  Object.fromEntries(
    Object.entries(land.boxes(sums(land, registered)))
      .map(([box, c]): [string, string] => [box, text(c)])
      .filter(([, figure]) => figure !== '0'),
  );

const expectSettled = async (land: Land) => {
  const { id } = clientOf(land, true);
  const days = 'dayFrom=2026-10-01&dayTo=2026-10-31';
  const { items } = contentOf(await t.get(`/v1/settlement/statement?${days}&clientId=${id}`, psp.apiKey));
  const taxOf = (some: readonly Sold[]) =>
    Number(text(some.reduce((all, s) => all + contained(s.gross, s.rate) + s.onFees, 0n)));
  const approved = sold.filter((s) => s.land === land && s.registered && !s.declined && !s.foreign);
  const own = items.find((i: Wire) => i.currency === land.currency);
  expect([own.payable.TAX_AUTHORITY, own.toReturn.TAX_AUTHORITY, own.balance]).toEqual([
    taxOf(approved),
    taxOf(approved.filter((s) => s.chargedBack)),
    0,
  ]);
};

/** What programs and people read of a return is what its figures are, in the money's form. */
async function expectAlike({ id, rows }: Awaited<ReturnType<typeof returnOf>>) {
  const read = async (form: string) => (await t.get(`/v1/report/${id}/${form}`, psp.apiKey)).text;
  const [csv, page] = [await read('csv?section=boxes'), await read('page')];
  for (const { box, currency, figure } of rows('boxes')) {
    if (figure == null) continue;
    expect(csv).toMatch(new RegExp(`^${box},.*,${currency},${figure},`, 'm'));
    const [whole = '', part = ''] = figure.split('.');
    const printed = `${Number(whole).toLocaleString('en')}.${part.padEnd(2, '0')}`.replace('-', '−');
    expect(page).toMatch(new RegExp(`>${box}</td>.*>${printed}</td><td data-title="How`));
  }
}

describe.each(lands.map((l) => [l.country, l] as const))('October in %s', (_, land) => {
  it('of a client that is not registered has no tax', async () => {
    const { rows } = await returnOf(land, '2026-10', false);
    expect(rows('lines').map((l) => l.tax)).toEqual(rows('lines').map(() => '0'));
  });

  it('is what the requests and the law make, in its boxes and the settlement; it is filed, and a sale declined after is the next month’s adjustment', async () => {
    const october = await returnOf(land, '2026-10');
    expect(figuresOf(october.rows('boxes'))).toEqual(dueOf(land));
    await expectAlike(october);
    await expectSettled(land);
    const filed = await t.post(
      `/v1/report/${october.id}/filed`,
      { reference: 'R-1', filedOn: '2026-11-05' },
      psp.apiKey,
    );
    expect(filed.status, filed.text).toBe(200);
    const filedOf = sold.map((s) => ({ ...s }));
    const counted = sold.filter((s) => s.land === land && s.registered && !s.declined && !s.chargedBack);
    const rated = counted.filter((s) => s.kind === 'RATED');
    const late = [
      ...rated.filter((s) => !s.foreign).slice(0, 2),
      ...rated.filter((s) => s.foreign).slice(0, 1),
      ...counted.filter((s) => s.kind === 'ABROAD').slice(0, 1),
    ];
    for (const s of late) {
      contentOf(await t.post('/v1/transaction/declineTransaction', { ref: s.ref }, clientOf(land, true).apiKey));
      s.declined = true;
    }
    const [was, is] = [sums(land, true, filedOf), sums(land, true)];
    const changed: SumOf = (...of) => is(...of) - was(...of);
    const november = await returnOf(land, '2026-11');
    expect(sumOf(november.rows('adjustments').map((r) => r.tax ?? '0'))).toBe(text(changed(null, 'RATED', 'tax')));
    const due = (land.corrections ?? land.boxes)(changed);
    const figures = Object.fromEntries(
      Object.entries(due)
        .map(([box, c]) => [box, text(c)])
        .filter(([, f]) => f !== '0'),
    );
    expect(figuresOf(november.rows('boxes'))).toEqual(figures);
    expect(Object.keys(figures).length).toBeGreaterThan(0);
  });
});
