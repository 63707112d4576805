// Questions worked out by hand from the law, asked of a running service at their moment: its answer, the evidence for it, the
// statement of settlement and the report of the month say the same.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localDate } from '../../src/core/calendar.ts';
import { differenceOf, plain, sumOf } from '../../src/core/sums.ts';
import { loadRuleBook } from '../../src/platform/data-files.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';

interface Question {
  /** The moment it is asked at. */
  readonly at: string;
  readonly country: string;
  readonly operation: string;
  readonly currency: string;
  readonly amount: string;
  readonly mcc?: string;
  readonly details?: Readonly<Record<string, string>>;
  readonly payment?: Readonly<Record<string, string>>;
  readonly client?: Readonly<Record<string, string>>;
  readonly profile?: Readonly<Record<string, unknown>>;
  /** Why the client owes no tax. */
  readonly relief?: string;
  readonly line?: string;
  readonly stake?: string;
  readonly stakeReturned?: boolean;
  /** Taxes of the record by code, without those on fees and by return. */
  readonly taxes: Readonly<Record<string, string>>;
  readonly law: string;
  readonly working: string;
}

const { questions } = JSON.parse(readFileSync(join(import.meta.dirname, 'api', 'questions.json'), 'utf8')) as {
  questions: readonly Question[];
};
const book = loadRuleBook();
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Wire = any;

let t: TestApp;
let psp: Account;
const clients = new Map<string, Account>();
const answers = new Map<Question, Wire>();
let n = 0;

/** Numbers as the caller wrote them. */
const json = (body: object) =>
  JSON.stringify(body, (_, v) => (typeof v === 'string' && v.startsWith('#') ? JSON.rawJSON(v.slice(1)) : v));
const numbers = (of: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(of).map(([name, v]) => [name, `#${v}`]));

async function post(path: string, body: object, key: string): Promise<Wire> {
  const r = await t.post(path, json(body), key);
  if (r.status !== 200) throw new Error(`${path} ${json(body)} was answered ${r.status}: ${r.text}`);
  return r.body.content;
}

async function clientOf(q: Question): Promise<Account> {
  const about = { countryCode: q.country, classification: 'ECOMM_LOCAL', ...q.client };
  const name = JSON.stringify([about, q.profile]);
  const known = clients.get(name);
  if (known) return known;
  const client = await t.makeClient(psp, about);
  if (q.profile)
    await post(
      `/v1/client/${client.id}/tax-profile`,
      { countryCode: q.country, validFrom: '2026-01-01', ...q.profile },
      psp.apiKey,
    );
  clients.set(name, client);
  return client;
}

async function ask(q: Question): Promise<Wire> {
  const { apiKey } = await clientOf(q);
  const ref = `q-${++n}`;
  const customer = { email: `q${n}@example.com` };
  if (q.operation === 'captureWager' || q.operation === 'capturePayout') {
    const stake = q.operation === 'captureWager' ? q.amount : (q.stake ?? '0');
    const wager = { amount: `#${stake}`, ref, customer, ip: '102.0.2.44', type: q.line };
    const taken = await post('/captureWager?expand=tax', wager, apiKey);
    if (q.operation === 'captureWager') return taken;
    const taxDetails = q.stakeReturned ? { taxDetails: { stakeReturned: true } } : {};
    const payout = { amount: `#${q.amount}`, ref: `${ref}-p`, customer, wagerReference: ref, ...taxDetails };
    return post('/capturePayout?expand=tax', payout, apiKey);
  }
  const body = {
    ...{ ref, totalAmount: `#${q.amount}`, currency: q.currency, countryCode: q.country, transactionFee: 0 },
  };
  if (q.operation === 'verifyTransaction') {
    const { singlePurposeVouchers: single, ...told } = q.details ?? {};
    const taxDetails = { ...told, ...(single === undefined ? {} : { singlePurposeVouchers: `#${single}` }) };
    return post(
      '/v1/transaction/verifyTransaction?expand=tax,decision',
      {
        ...body,
        mcc: q.mcc,
        paymentMethods: numbers(q.payment ?? { card: q.amount }),
        ...(q.details ? { taxDetails } : {}),
      },
      apiKey,
    );
  }
  return post(
    `${movementPaths[q.operation]}?expand=tax`,
    { ...body, customer, ...movementBodies[q.operation] },
    apiKey,
  );
}

const movementPaths: Readonly<Record<string, string>> = {
  deposit: '/v1/payment/deposit',
  withdrawal: '/v1/payment/withdrawal',
  cryptoDeposit: '/v1/payment/cryptoDeposit',
  cryptoWithdrawal: '/v1/payment/cryptoWithdrawal',
};
const bank = { bank: 'Equity Bank', accountNumber: '0011223344' };
const blochainHash = '0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b';
const toAddress = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE';
const movementBodies: Readonly<Record<string, object>> = {
  withdrawal: { toAddress: bank },
  cryptoDeposit: { blochainHash },
  cryptoWithdrawal: { blochainHash, toAddress },
};

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2024-01-02T00:00:00Z' });
  psp = await t.makePsp();
});
afterAll(() => t?.stop());

const told = (q: Question) => [q.country, q.operation, q.mcc ?? q.line ?? '', q.amount, q.at].join(' ');

it('are answered as the law answers, with evidence of the day in the country', async () => {
  const wrong: string[] = [];
  for (const q of questions) {
    if (Date.parse(q.at) > t.now()) t.advance(Date.parse(q.at) - t.now());
    let c: Wire;
    try {
      c = await ask(q);
    } catch (e) {
      wrong.push(`${told(q)}: ${e}`);
      continue;
    }
    answers.set(q, c);
    const own = c.tax.filter((l: Wire) => l.base !== 'FEE' && l.method !== 'BY_RETURN');
    const sums: Record<string, string> = {};
    for (const l of own) if (l.tax !== 0) sums[l.taxCode] = plain(sumOf([sums[l.taxCode] ?? '0', String(l.tax)]));
    const due = Object.fromEntries(
      Object.entries(q.taxes).flatMap(([k, v]) => (plain(v) === '0' ? [] : [[k, plain(v)]])),
    );
    const inOrder = (of: object) => JSON.stringify(Object.entries(of).sort());
    if (inOrder(sums) !== inOrder(due))
      wrong.push(
        `${told(q)}: ${JSON.stringify(sums)}, and not ${JSON.stringify(due)} (${q.law}: ${q.working}) [${c.tax.map((l: Wire) => l.ruleId)}]`,
      );
    const zone = book.country(q.country)?.timeZone ?? 'UTC';
    const day = localDate(zone, Date.parse(q.at));
    for (const l of c.tax) {
      if (!l.source?.title || !l.confidence) wrong.push(`${told(q)}: ${l.ruleId} has no source`);
      if (l.validFrom !== null && (l.validFrom > day || (l.validTo !== null && l.validTo <= day)))
        wrong.push(`${told(q)}: ${l.ruleId} is not in force on ${day}`);
    }
    if (q.relief && !c.tax.some((l: Wire) => l.reason === q.relief)) wrong.push(`${told(q)}: no reason ${q.relief}`);
    if ('merchantAmount' in c) {
      const parts = [c.vatAmount, c.processingFee, c.transactionFee, c.transactionVAT, c.merchantAmount].map(String);
      const left = plain(differenceOf(q.amount, sumOf(parts)));
      if (left !== '0') wrong.push(`${told(q)}: the parts leave ${left}`);
    }
  }
  expect(wrong).toEqual([]);
});

it('are at least 200', () => expect(questions.length).toBeGreaterThanOrEqual(200));
