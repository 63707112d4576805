// A month of 300 mixed transactions of clients in five countries: each box of their returns is worked out from the raw requests
// and the law, and compared with the return, with the statement of settlement, and, after the return was filed and sales were
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
  boxes(sum: (rate: bigint | null, kind: Kind, figure: 'net' | 'tax') => Cents): Record<string, Cents>;
}
const abroad = { customerCountry: 'FR', customerTaxNumber: 'FR40303265045' };

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
  to('2026-10-01T00:00:00Z');
  for (let i = 0; i < 300; i++) {
    const land = lands[i % lands.length] as Land;
    const registered = below(8) > 0;
    const supply = land.supplies[below(land.supplies.length)] as Supply;
    const price = land.step * BigInt(1 + below(200_000 / Number(land.step)));
    const discount = land.step === 1n && below(4) === 0 ? price / 10n : 0n;
    const fee = BigInt(below(3)) * 5n;
    if (price < 100n) continue;
    const number = (c: Cents) => JSON.rawJSON(`${c / 100n}.${String(c % 100n).padStart(2, '0')}`);
    const body = {
      ...{ ref: `o-${i}`, totalAmount: number(price), currency: land.currency, countryCode: land.country },
      ...{ mcc: supply.mcc, transactionFee: number(fee) },
      paymentMethods: { card: number(price - discount), ...(discount > 0n ? { discounts: number(discount) } : {}) },
      ...(supply.kind === 'ABROAD' ? { taxDetails: abroad } : {}),
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
    t.advance(8_600_000);
  }
  to('2026-11-05T10:00:00Z');
});
afterAll(() => t?.stop());

/** Sums of the client's sales that count, by the law. */
const sums = (land: Land, registered: boolean) => (rate: bigint | null, kind: Kind, figure: 'net' | 'tax') =>
  sold
    .filter((s) => s.land === land && s.registered === registered && !s.declined && !s.chargedBack)
    .filter((s) => s.kind === kind && (rate === null || s.rate === rate))
    .reduce((all, s) => {
      const tax = registered ? contained(s.gross, s.rate) : 0n;
      return all + (figure === 'tax' ? tax : s.gross - tax);
    }, 0n);

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
  expect(items).toHaveLength(1);
  const taxOf = (some: readonly Sold[]) =>
    Number(text(some.reduce((all, s) => all + contained(s.gross, s.rate) + s.onFees, 0n)));
  const approved = sold.filter((s) => s.land === land && s.registered && !s.declined);
  expect([items[0].payable.TAX_AUTHORITY, items[0].toReturn.TAX_AUTHORITY, items[0].balance]).toEqual([
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
    const before = land.boxes(sums(land, true));
    const late = sold
      .filter((s) => s.land === land && s.registered && !s.declined && !s.chargedBack && s.kind === 'RATED')
      .slice(0, 2);
    for (const s of late) {
      contentOf(await t.post('/v1/transaction/declineTransaction', { ref: s.ref }, clientOf(land, true).apiKey));
      s.declined = true;
    }
    const taxed = late.reduce((all, s) => all + contained(s.gross, s.rate), 0n);
    const november = await returnOf(land, '2026-11');
    expect(sumOf(november.rows('adjustments').map((r) => r.tax ?? '0'))).toBe(text(-taxed));
    const due = land.boxes((rate, kind, figure) =>
      late
        .filter((s) => s.kind === kind && (rate === null || s.rate === rate))
        .reduce(
          (all, s) => all - (figure === 'tax' ? contained(s.gross, s.rate) : s.gross - contained(s.gross, s.rate)),
          0n,
        ),
    );
    const figures = Object.fromEntries(
      Object.entries(due)
        .map(([box, c]) => [box, text(c)])
        .filter(([, f]) => f !== '0'),
    );
    expect(figuresOf(november.rows('boxes'))).toEqual(figures);
    expect(before).not.toEqual(land.boxes(sums(land, true)));
  });
});
