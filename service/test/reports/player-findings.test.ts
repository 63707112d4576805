// Findings about players: each shows the records that do not fit each other, of the month and the account that is asked
// for, and nothing of what fits.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';

let t: TestApp;
let psp: Account;
let bet: Account;
let coins: Account;
let n = 0;

type Over = Record<string, unknown>;
const exampleOf = (id: string) => operations.find((o) => o.id === id)?.example as Over;
const call = async (id: string, by: Account, over: Over) => {
  const op = operations.find((o) => o.id === id) as (typeof operations)[number];
  return contentOf(await t.post(op.path, { ...exampleOf(id), ref: `f-${++n}`, ...over }, by.apiKey));
};
const customer = (name: string) => ({ customer: { email: `${name}@example.com` } });
const deposit = (name: string, over: Over = {}, by = bet) => call('deposit', by, { ...customer(name), ...over });
const withdraw = (name: string, over: Over = {}) =>
  call('withdrawal', bet, { ...customer(name), currency: 'KES', countryCode: 'KE', ...over });
const wager = (name: string, over: Over = {}) => call('captureWager', bet, { ...customer(name), ...over });
const pay = (name: string, wagerReference: string, over: Over = {}) =>
  call('capturePayout', bet, { ...customer(name), wagerReference, ...over });

interface Found {
  readonly finding: string;
  readonly recordId: string;
  readonly otherId: string | null;
  readonly amount: string;
  readonly open: string;
}

async function findings(
  key = psp.apiKey,
  period = '2026-11',
): Promise<{ found: Found[]; counts: Record<string, number> }> {
  const { reportId, state } = await made(t, { kind: 'playerFindings', period }, key);
  expect(state).toBe('DONE');
  const { sections } = JSON.parse((await t.get(`/v1/report/${reportId}/json`, key)).text);
  const rows = (name: string) => sections.find((x: { name: string }) => x.name === name).rows;
  const counts = Object.fromEntries(
    rows('byFinding').map((r: { finding: string; lines: number }) => [r.finding, r.lines]),
  );
  return { found: rows('findings'), counts };
}

const ids: Record<string, string> = {};

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-11-10T09:00:00Z' });
  psp = await t.makePsp('Lake Payments', 'KE');
  const client = (classification: string) =>
    t.makeClient(psp, { registrationNumber: `L-${++n}`, countryCode: 'KE', classification });
  bet = await client('IGAMING_LOCAL');
  coins = await client('CRYPTO_LOCAL');
  // Somebody who plays as one should.
  await deposit('ada');
  await wager('ada', { ref: 'ada-1' });
  await pay('ada', 'ada-1');
  await withdraw('ada');
  // The payout goes to somebody else.
  await deposit('kip');
  ids.wager = (await wager('kip', { ref: 'kip-1' })).wagerId;
  ids.payout = (await pay('mule', 'kip-1', { amount: 800 })).payoutId;
  // Money in and out, and no play between; and a withdrawal alone, as of winnings of before.
  ids.in = (await deposit('lou', { totalAmount: 700 })).transactionId;
  await withdraw('lou', { totalAmount: 300 });
  ids.out = (await withdraw('lou', { totalAmount: 350 })).transactionId;
  await withdraw('old');
  // The same transfer twice, and another one.
  const chain = async (blochainHash: string) =>
    (await call('cryptoDeposit', coins, { blochainHash, ...customer('coin') })).transactionId;
  ids.first = await chain(`0x${'ab'.repeat(32)}`);
  await chain(`0x${'cd'.repeat(32)}`);
  ids.second = await chain('AB'.repeat(32));
  // One transfer that pays two customers out, and arrives at another client.
  const batch = { blochainHash: `0x${'ef'.repeat(32)}` };
  for (const who of ['out-1', 'out-2']) await call('cryptoWithdrawal', coins, { ...batch, ...customer(who) });
  await call('cryptoDeposit', coins, { ...batch, ...customer('in-1') });
  // Stakes from nowhere; a free bet needs no deposit.
  ids.stake = (await wager('nil', { amount: 50 })).wagerId;
  await wager('nil', { amount: 25 });
  await wager('free', { amount: 0 });
  // One player under several spellings of a mailbox, and under another e-mail with the same number.
  const sue = (email: string, phoneNumber?: string) => ({
    customer: { email: `${email}@example.com`, ...(phoneNumber ? { phoneNumber } : {}) },
  });
  const number = '+254711000001';
  await deposit('', sue('sue', number));
  await wager('', { ...sue('sue+2'), ref: 'sue-1' });
  await pay('', 'sue-1', sue('sue'));
  await wager('', { ...sue('susan', '+254 711 000001'), ref: 'sue-2' });
  await pay('', 'sue-2', sue('s.other', number));
  await withdraw('', sue('susan', number));
  ids.basket = (await call('submitBasket', bet, {})).basketId;
  t.advance(25 * 3_600_000);
  await call('submitBasket', bet, {});
});
afterAll(() => t?.stop());

describe('the report of findings', () => {
  it('shows each record that does not fit, beside the one it does not fit with', async () => {
    const { found, counts } = await findings();
    const seen = found.map((f) => [f.finding, f.recordId, f.otherId, f.amount]);
    expect(seen.sort()).toEqual(
      [
        ['PAYOUT_TO_OTHER', ids.payout, ids.wager, '800'],
        ['NO_PLAY', ids.out, ids.in, '650'],
        ['CHAIN_HASH_TWICE', ids.second, ids.first, expect.any(String)],
        ['WAGER_WITHOUT_DEPOSIT', ids.stake, null, '75'],
        ['BASKET_NOT_PAID', ids.basket, null, expect.any(String)],
      ].sort(),
    );
    expect(counts).toEqual({
      PAYOUT_WITHOUT_WAGER: 0,
      PAYOUT_TO_OTHER: 1,
      NO_PLAY: 1,
      CHAIN_HASH_TWICE: 1,
      BASKET_NOT_PAID: 1,
      WAGER_WITHOUT_DEPOSIT: 1,
    });
    for (const f of found) expect((await t.get(f.open, psp.apiKey)).status).toBe(200);
  });

  it('has only what is the operator’s own, with its key, and nothing of other PSPs and months', async () => {
    const own = await findings(coins.apiKey);
    expect(own.found.map((f) => f.finding)).toEqual(['CHAIN_HASH_TWICE']);
    const stranger = await t.makePsp('Delta Pay', 'KE');
    expect((await findings(stranger.apiKey)).found).toEqual([]);
    expect((await findings(psp.apiKey, '2026-10')).found).toEqual([]);
  });

  it('names nobody', async () => {
    const { reportId } = await made(t, { kind: 'playerFindings', period: '2026-11' }, psp.apiKey);
    const { text } = await t.get(`/v1/report/${reportId}/json`, psp.apiKey);
    expect(text).not.toContain('@example.com');
  });
});
