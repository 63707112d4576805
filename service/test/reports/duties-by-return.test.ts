// Duties on payments that somebody owes by a return of the period: recorded with each payment, counted in the return of who
// owes them, and no part of any split. The figures are worked out by hand from the laws of Zimbabwe (section 22G of the
// Finance Act: 1.5 % of ZiG from 2026, 2 % of US dollars and at most 10,150) and of Nigeria (50 naira from 10,000 on). And
// returns of a single day.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lackingDuties } from '../../src/modules/corrections/index.ts';
import { readCorrections } from '../../src/modules/filing/read-corrections.ts';
import { dayOfCountry, verifyTotals } from '../../src/modules/totals/index.ts';
import type { Database } from '../../src/platform/database.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
let shop: Account;
let bookmaker: Account;
const dayMs = 86_400_000;
/** Of what was approved in ZiG, taxes in the splits, in cents. */
let taxes = 0;
const customer = { email: 'ada@example.com' };

interface Recorded {
  readonly transactionId: string;
  readonly vatAmount: number;
  readonly processingFee: number;
  readonly transactionFee: number;
  readonly transactionVAT?: number;
  readonly merchantAmount?: number;
  readonly netAmount?: number;
  readonly tax: readonly {
    readonly taxCode: string;
    readonly method: string;
    readonly owedBy: string;
    readonly tax: number;
  }[];
}
const cents = (...amounts: readonly (number | undefined)[]) =>
  amounts.reduce<number>((sum, a) => sum + Math.round((a ?? 0) * 100), 0);
const post = async (path: string, body: object, by: Account, headers: Record<string, string> = {}) =>
  contentOf(await t.post(`${path}?expand=tax`, body, by.apiKey, headers)) as Recorded;
const sale = (ref: string, totalAmount: number, over: object = {}) =>
  post(
    '/v1/transaction/verifyTransaction',
    {
      ...{ ref, totalAmount, currency: 'ZWG', countryCode: 'ZW', transactionFee: 1 },
      ...{ paymentMethods: { card: totalAmount }, ...over },
    },
    shop,
  );
const moved = (kind: string, ref: string, totalAmount: number, countryCode: string, currency: string) =>
  post(
    `/v1/payment/${kind}`,
    {
      ref,
      totalAmount,
      currency,
      countryCode,
      customer,
      transactionFee: 1,
      toAddress: { bank: 'GTB', accountNumber: '1' },
    },
    bookmaker,
  );
const dues = (r: Recorded) => r.tax.filter((l) => l.method === 'BY_RETURN').map((l) => [l.taxCode, l.owedBy, l.tax]);

async function documentOf(body: object, by: Account) {
  const { reportId, state } = await made(t, body, by.apiKey);
  expect(state).toBe('DONE');
  const { sections } = (await t.get(`/v1/report/${reportId}/json`, by.apiKey)).body as {
    sections: { name: string; rows: readonly Record<string, string | null>[] }[];
  };
  return { reportId, sections };
}

async function boxesOf(form: string, period: string, by: Account) {
  const { reportId, sections } = await documentOf({ kind: 'filing', form, period }, by);
  const rows = (name: string) => sections.find((s) => s.name === name)?.rows ?? [];
  return { reportId, boxes: Object.fromEntries(rows('boxes').map((b) => [b.box, b.figure])), lines: rows('lines') };
}

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-11-05T10:00:00Z' });
  psp = await t.makePsp('Harare Payments', 'ZW');
  shop = await t.makeClient(psp, { countryCode: 'ZW' });
  bookmaker = await t.makeClient(psp, { countryCode: 'NG', classification: 'IGAMING_LOCAL' });
});
afterAll(() => t?.stop());

describe('a payment', () => {
  it('is recorded with its duty, which is no part of the split, and says who owes it', async () => {
    const made = await sale('a', 1000);
    expect(dues(made)).toEqual([['IMTT', 'PAYER_PROVIDER', 15]]);
    const { vatAmount, processingFee, transactionFee, transactionVAT, merchantAmount } = made;
    taxes += cents(vatAmount, transactionVAT);
    expect(cents(vatAmount, processingFee, transactionFee, transactionVAT, merchantAmount)).toBe(100_000);
    // 15.5 % of VAT is contained: 1,000 × 15.5 / 115.5.
    expect(vatAmount).toBe(134.2);
    // The receipt has the entry's exact text.
    const [kept] = await t.database.admin.query<{ body: string }>(
      "SELECT body FROM journal WHERE kind = 'transaction.created' AND psp_id = $1 ORDER BY seq LIMIT 1",
      [psp.uuid],
    );
    const { evidence } = JSON.parse(kept?.body ?? '') as { evidence: { tax: readonly Record<string, string>[] } };
    expect(evidence.tax.at(-1)).toEqual({
      ...{ rule: 'ZW-IMTT-PAYMENT-2026', taxable: '1000.00', tax: '15.00', owedBy: 'PAYER_PROVIDER' },
    });
    expect(evidence.tax.filter((l) => l.owedBy === undefined).reduce((sum, l) => sum + cents(Number(l.tax)), 0)).toBe(
      cents(vatAmount, transactionVAT),
    );
  });

  it('bears it on what was transferred, not on cash and vouchers', async () => {
    const made = await sale('cash', 1000, { paymentMethods: { cash: 700, vouchers: 200, card: 100 } });
    expect(dues(made)).toEqual([['IMTT', 'PAYER_PROVIDER', 1.5]]);
    taxes += cents(made.vatAmount, made.transactionVAT);
  });

  it('in US dollars bears the rate and the ceiling of foreign currency', async () => {
    expect(dues(await sale('usd', 600_000, { currency: 'USD' }))).toEqual([['IMTT_FX', 'PAYER_PROVIDER', 10_150]]);
  });

  it('in ZiG says where the ceiling in dollars may be reached, which is not converted', async () => {
    const of = { operation: 'verifyTransaction', currency: 'ZWG', countryCode: 'ZW' };
    const quoted = async (totalAmount: number) => {
      const { tax, observations } = contentOf(await t.post('/v1/tax/quote', { ...of, totalAmount }, shop.apiKey));
      return [tax.at(-1).tax, observations.map((o: { message: string }) => o.message)];
    };
    // 10,150 ZiG are less than 10,150 dollars.
    expect(await quoted(676_666.67)).toEqual([10_150, []]);
    expect(await quoted(700_000)).toEqual([
      10_500,
      ['ZW-IMTT-PAYMENT-2026 is at most the equivalent of 10150 USD, which was not converted; less may be due'],
    ]);
  });

  it('in a currency whose rate nobody has is recorded without it, and says so', async () => {
    const quote = { operation: 'verifyTransaction', totalAmount: 100, currency: 'ZAR', countryCode: 'ZW' };
    const { observations } = contentOf(await t.post('/v1/tax/quote', quote, shop.apiKey));
    expect(observations.map((o: { code: string }) => o.code)).toEqual(['TAX_NOT_CONVERTED', 'TAX_NOT_CONVERTED']);
  });

  it('out of an account of the client bears the 50 naira of the sender from 10,000 naira on; the player gets all', async () => {
    const below = await moved('withdrawal', 'w0', 9999.99, 'NG', 'NGN');
    const from = await moved('withdrawal', 'w1', 10_000, 'NG', 'NGN');
    expect(dues(below)).toEqual([]);
    expect(dues(from)).toEqual([['STAMP_DUTY', 'PAYER_PROVIDER', 50]]);
    // Beside the PSP's fee of 1.
    expect(cents(from.vatAmount, from.processingFee, from.netAmount)).toBe(999_900);
  });
});

describe('a quote', () => {
  it.each([
    ['verifyTransaction', 'ZW', 'ZWG', 1000],
    ['deposit', 'ZW', 'USD', 600_000],
    ['withdrawal', 'NG', 'NGN', 10_000],
  ])(
    'of a %s in %s has the duty and the warnings that are then recorded',
    async (kind, countryCode, currency, totalAmount) => {
      const by = kind === 'verifyTransaction' ? shop : bookmaker;
      const of = { totalAmount, currency, countryCode, transactionFee: 1 };
      const { tax, observations } = contentOf(await t.post('/v1/tax/quote', { ...of, operation: kind }, by.apiKey));
      const ref = `quoted-${kind}`;
      const recorded =
        kind === 'verifyTransaction'
          ? await sale(ref, totalAmount)
          : await moved(kind, ref, totalAmount, countryCode, currency);
      expect(dues({ ...recorded, tax })).toHaveLength(1);
      const { observations: warned } = contentOf(await t.get(`/v1/transaction/${recorded.transactionId}`, by.apiKey));
      expect([tax, observations]).toEqual([recorded.tax, warned]);
      const path = '/v1/transaction/declineTransaction';
      contentOf(await t.post(path, { ref }, by.apiKey));
    },
  );
});

describe('the return of a day', () => {
  // Kenya: betting companies pay the excise of a day by one o'clock of the next night.
  const day = (period: string) => boxesOf('KE-EXCISE-DAILY', period, psp);
  let seventh: Awaited<ReturnType<typeof day>>;

  it('holds the deposits of that day of the country, and is due the day after', async () => {
    // It is 20:00 in Nairobi on the 5th, then 01:00 on the 6th.
    t.advance(7 * 3_600_000);
    const first = await moved('deposit', 'ke1', 1000, 'KE', 'KES');
    t.advance(5 * 3_600_000);
    await moved('deposit', 'ke2', 3000, 'KE', 'KES');
    t.advance(24 * 3_600_000);
    await totalled(t);
    expect(first.netAmount).toBeLessThan(950);
    expect((await day('2026-11-05')).boxes).toMatchObject({ DEPOSITS_BASE: '1000', DEPOSITS_DUTY: '50', DUTY: '50' });
    seventh = await day('2026-11-06');
    expect(seventh.boxes).toMatchObject({ DEPOSITS_BASE: '3000', DUTY: '150' });
    const { items } = contentOf(await t.get('/v1/filing-periods?countryCode=KE&form=KE-EXCISE-DAILY', psp.apiKey));
    const listed = items.map((i: { period: string; state: string; dueOn: string }) => [i.period, i.state, i.dueOn]);
    expect(listed).toEqual([
      ['2026-11-05', 'OVERDUE', '2026-11-06'],
      ['2026-11-06', 'DUE', '2026-11-07'],
      ['2026-11-07', 'OPEN', '2026-11-08'],
    ]);
  });

  it('is filed and locked, and what changes of it later is corrected in that of a later day', async () => {
    const filed = { reference: 'KRA-6', filedOn: '2026-11-07' };
    contentOf(await t.post(`/v1/report/${seventh.reportId}/filed`, filed, psp.apiKey));
    const again = await day('2026-11-06');
    const refused = await t.post(`/v1/report/${again.reportId}/filed`, { ...filed, reference: 'x' }, psp.apiKey);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([409, 'STATE_CONFLICT']);
    await t.post('/v1/transaction/declineTransaction', { ref: 'ke2' }, bookmaker.apiKey);
    t.advance(24 * 3_600_000);
    await totalled(t);
    const { boxes } = await day('2026-11-07');
    expect(boxes).toMatchObject({ DEPOSITS_BASE: '-3000', DUTY: '-150' });
  });
});

describe('the return', () => {
  it('of the institution has the duties of approved payments, less those of chargebacks in their month', async () => {
    await sale('no', 5000);
    await t.post('/v1/transaction/declineTransaction', { ref: 'no' }, shop.apiKey);
    taxes += cents((await moved('deposit', 'd', 200, 'ZW', 'ZWG')).vatAmount);
    t.advance(30 * dayMs);
    contentOf(await t.post('/v1/transaction/chargeBack', { ref: 'a' }, psp.apiKey, { 'x-client-id': shop.id }));
    t.advance(30 * dayMs);
    await totalled(t);
    // 1,000 + 100 + 200 at 1.5 %.
    const november = await boxesOf('ZW-IMTT', '2026-11', psp);
    expect(november.boxes).toEqual({ BASE: '1300', COLLECTED: '19.5', OTHERS: null, TAX: '19.5' });
    expect((await boxesOf('ZW-IMTT-USD', '2026-11', psp)).boxes).toMatchObject({ BASE: '600000', TAX: '10150' });
    expect((await boxesOf('NG-STAMP-DUTY', '2026-11', psp)).boxes).toMatchObject({ BASE: '10000', TAX: '50' });
    expect((await boxesOf('ZW-IMTT', '2026-12', psp)).boxes).toMatchObject({ BASE: '-1000', TAX: '-15' });
    contentOf(
      await t.post(`/v1/report/${november.reportId}/filed`, { reference: 'R5B', filedOn: '2026-12-10' }, psp.apiKey),
    );
  });

  it('of a client has none of what the institution owes', async () => {
    const { boxes, lines } = await boxesOf('ZW-IMTT', '2026-11', shop);
    expect([boxes.TAX, lines]).toEqual(['0', []]);
    const { items } = contentOf(await t.get('/v1/filing-periods?countryCode=ZW&form=ZW-IMTT', shop.apiKey));
    expect(items.filter((i: { hasRecords: boolean }) => i.hasRecords)).toEqual([]);
    const report = { kind: 'vatReturn', period: '2026-11', countryCode: 'ZW' };
    const named = async (by: Account) => (await documentOf(report, by)).sections.map((x) => x.name);
    expect([(await named(shop)).includes('imtt'), (await named(psp)).includes('imtt')]).toEqual([false, true]);
  });

  it('counts what an audit of the totals counts again from the journal', async () => {
    const { cells, differences } = await verifyTotals(t.app.services.db, psp.uuid, dayOfCountry(t.app.services));
    expect(cells).toBeGreaterThan(0);
    expect(differences).toEqual([]);
  });

  it('books nothing in the settlement: what is owed to authorities is what the splits hold', async () => {
    const { sections } = await documentOf({ kind: 'settlement', period: '2026-11' }, psp);
    const rows = sections.find((x) => x.name === 'payable')?.rows.filter((r) => r.countryCode === 'ZW') ?? [];
    const payable = rows.filter((r) => r.currency === 'ZWG').map((r) => Number(r.taxAuthority));
    expect(cents(...payable)).toBe(taxes);
  });
});

describe('payments that were recorded before duties were', () => {
  const duty = 'ZW-IMTT-PAYMENT-2026';
  const shipped = JSON.parse(readFileSync(new URL('../../data/tax/ZW.json', import.meta.url), 'utf8'));
  /** What bears it: 1,000 of 1,004. */
  const many = 1000;
  /** 100.00 and more by 0.37 each, at 1.5 %, in cents, each rounded half up. */
  const owed = Array.from({ length: many }, (_, i) => Math.floor(((10_000 + i * 37) * 15 + 500) / 1000)).reduce(
    (a, b) => a + b,
  );
  const text = (inCents: number) => String(inCents / 100);
  let operator: Account;
  let old: Account;
  let client: Account;
  let month: string;
  const load = async (rules: readonly object[]) => {
    const country = { ...shipped, rules };
    contentOf(await t.post('/v1/admin/tax', { reason: 'as it was', country }, operator.apiKey));
  };
  const lacking = () => lackingDuties(t.app.services.db, t.app.services, old.uuid);
  const days = () => ({ countryCode: 'ZW', from: `${month}-01`, to: `${month}-28` });
  const preview = async (rule: string) => {
    const { sections } = await documentOf({ kind: 'rateCorrection', ...days(), rule }, old);
    return (name: string) => sections.find((s) => s.name === name)?.rows ?? [];
  };

  beforeAll(async () => {
    operator = await t.makeOperator();
    old = await t.makePsp('Bulawayo Payments', 'ZW');
    client = await t.makeClient(old, { countryCode: 'ZW' });
    month = new Date(t.now()).toISOString().slice(0, 7);
    await load(shipped.rules.filter((r: { inTransaction: boolean }) => r.inTransaction));
    const pay = (ref: string, inCents: number, paymentMethods: object = { card: inCents / 100 }) =>
      post(
        '/v1/transaction/verifyTransaction',
        {
          ...{ ref, totalAmount: inCents / 100, currency: 'ZWG', countryCode: 'ZW' },
          ...{ transactionFee: 1, paymentMethods },
        },
        client,
      );
    for (let i = 0; i < many; i += 20)
      await Promise.all(Array.from({ length: 20 }, (_, j) => pay(`o${i + j}`, 10_000 + (i + j) * 37)));
    for (const ref of ['returned', 'declined']) await pay(ref, 50_000);
    await pay('cash', 50_000, { cash: 500 });
    const of = { 'x-client-id': client.id };
    contentOf(await t.post('/v1/transaction/chargeBack', { ref: 'returned' }, old.apiKey, of));
    contentOf(await t.post('/v1/transaction/declineTransaction', { ref: 'declined' }, client.apiKey));
    await load(shipped.rules);
    expect(dues(await pay('since', 100_000))).toEqual([['IMTT', 'PAYER_PROVIDER', 15]]);
  });

  it('are counted, all that bear it and no others', async () => {
    expect(await lacking()).toMatchObject([{ country: 'ZW', transactions: many }]);
  });

  it('are found by the rule they lack, before anything is changed, to the cent', async () => {
    const rows = await preview(duty);
    expect(rows('byRule').map((r) => [r.rule, r.transactions, r.taxDelta])).toEqual([[duty, many, text(owed)]]);
    expect(rows('summary').map((r) => [r.transactions, r.vatDelta, r.merchantDelta])).toEqual([[many, '0', '0']]);
    expect((await preview('ZW-IMTT-DEPOSIT-2026'))('summary')).toEqual([]);
  });

  it('are corrected once, which no PSP can do itself, and the return of the month has them', async () => {
    const body = { clientId: old.id, ...days(), rule: duty, reason: 'recorded before duties were' };
    expect((await t.post('/v1/correction', body, old.apiKey)).status).toBe(403);
    const corrected = async () => {
      let adjusted = 0;
      for (let next: object = {}; ; ) {
        const done = contentOf(await t.post('/v1/correction', { ...body, ...next }, operator.apiKey));
        adjusted += done.adjusted;
        if (done.next === null) return adjusted;
        next = { after: done.next };
      }
    };
    expect([await corrected(), await corrected(), await lacking()]).toEqual([many, 0, []]);
    await totalled(t);
    const { boxes } = await boxesOf('ZW-IMTT', month, old);
    expect(boxes).toMatchObject({ COLLECTED: text(owed + 1500), TAX: text(owed + 1500) });
  });
});

describe('hundreds of filed days', () => {
  it('are read for corrections in as many statements as a few', async () => {
    const filer = await t.makePsp('Nairobi Payments', 'KE');
    const player = await t.makeClient(filer, { countryCode: 'KE', classification: 'IGAMING_LOCAL' });
    // Of Nairobi, three hours ahead.
    const today = new Date(t.now() + 3 * 3_600_000).toISOString().slice(0, 10);
    const paid = { ref: 'late', totalAmount: 1000, currency: 'KES', countryCode: 'KE', transactionFee: 1, customer };
    await post('/v1/payment/deposit', paid, player);
    await totalled(t);
    /** Days up to today, filed with nothing to declare. */
    const file = (from: number, to: number) =>
      t.database.admin.query(
        `INSERT INTO filings (psp_id, id, account_id, report_id, form, country, period, first_day, last_day, currency,
           payable, document_sha256, boxes, lines, reference, filed_on, filed_by, created_at)
         SELECT $1, gen_random_uuid(), $1, gen_random_uuid(), 'KE-EXCISE-DAILY', 'KE', d::text, d, d, 'KES', 0,
           repeat('0', 64), '[]', '[]', 'nil', d, 'Ada', now()
         FROM (SELECT $2::date - n AS d FROM generate_series($3::int, $4::int) AS n) AS days`,
        [filer.uuid, today, from, to],
      );
    const corrections = async () => {
      let statements = 0;
      const counting: Database = {
        query: (text, values) => {
          statements++;
          return t.app.services.db.query(text, values);
        },
      };
      const of = { psp: filer.uuid, account: filer.uuid, only: undefined, form: 'KE-EXCISE-DAILY' };
      const { lines: found } = await readCorrections(counting, t.app.services, {
        ...of,
        period: { first: '2099-01-01' },
      });
      return { statements, found: found.map((c) => [c.period, c.rule, c.taxable, c.tax]) };
    };
    await file(0, 2);
    const few = await corrections();
    await file(3, 399);
    const many = await corrections();
    expect(few.found).toEqual([[today, 'KE-EXCISE-GAMING-DEPOSIT-2025', '1000', '50']]);
    expect(many).toEqual(few);
  });
});
