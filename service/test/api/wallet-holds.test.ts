// Holds of wallets: crypto payments to and from one are declined from the commit of its hold on, exactly, in every process,
// however its address is written; for its PSP alone, and without a word to clients. Placed by people, cases and rules.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { dataDirOf } from '../support/cdr-files.ts';
import { contentOf, expectRefusal, issueKey } from '../support/guarantees.ts';
import { expectJournalComplete, readersAtEnd, told } from '../support/journal.ts';

let t: TestApp;
/** Another process of the same service. */
let beside: TestApp;
let psp: Account;
let other: Account;
let client: Account;
let staff: Account;
let n = 0;

beforeAll(async () => {
  t = await makeTestApp();
  beside = await makeTestApp({ database: t.database, env: { DATA_DIR: dataDirOf(t) } });
  [psp, other, staff] = [await t.makePsp(), await t.makePsp('Elsewhere'), await t.makeOperator()];
  client = await crypto(psp);
});
afterAll(async () => {
  await beside?.stop();
  await t?.stop();
});

const crypto = (of: Account) => t.makeClient(of, { classification: 'CRYPTO_GLOBAL', registrationNumber: `C-${++n}` });
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;
type Over = Record<string, unknown>;
const exampleOf = (id: string) => operations.find((o) => o.id === id)?.example as Over;
const fresh = () => `0x${(++n).toString(16).padStart(4, '0')}8B716B8Aaf21512996dC57EB0615e2383E2f`;

const pay = async (kind: 'cryptoWithdrawal' | 'cryptoDeposit', over: Over, by = client, at = t): Promise<Shown> =>
  contentOf(await at.post(`/v1/payment/${kind}`, { ...exampleOf(kind), ref: `r${++n}`, ...over }, by.apiKey));
const withdraw = (toAddress: string, by = client, at = t) => pay('cryptoWithdrawal', { toAddress }, by, at);
const deposit = (fromAddress?: string, by = client) =>
  pay('cryptoDeposit', fromAddress === undefined ? {} : { fromAddress }, by);
const reason = 'A private reason: funds of a theft.';
const hold = (over: Over, key = psp.apiKey) => t.post('/v1/wallet-hold', { reason, ...over }, key);
const release = (holdId: string, key = psp.apiKey) =>
  t.post(`/v1/wallet-hold/${holdId}/release`, { reason: 'the owner was identified' }, key);
const list = async (query = '', key = psp.apiKey): Promise<Shown> =>
  contentOf(await t.get(`/v1/wallet-hold?${query}`, key));

describe('a hold of a wallet', () => {
  it('declines withdrawals to it and deposits from it, of every client of the PSP, until it is ended', async () => {
    const wallet = fresh();
    const [sister, free] = [await crypto(psp), fresh()];
    expect((await withdraw(wallet)).status).toBe('APPROVED');
    const placed = contentOf(await hold({ address: wallet }));
    expect(placed).toMatchObject({ address: wallet, inForce: true, until: null, caseId: null, version: 1, reason });
    const found = async (by: Account) =>
      contentOf(await t.post('/v1/search', { q: wallet.toLowerCase() }, by.apiKey)).items;
    expect(await found(psp)).toContainEqual(expect.objectContaining({ kind: 'walletHold', id: placed.holdId }));
    for (const by of [client, other]) expect(JSON.stringify(await found(by))).not.toContain('whd_');
    expect((await withdraw(wallet)).status).toBe('DECLINED');
    expect((await withdraw(wallet, sister)).status).toBe('DECLINED');
    expect((await deposit(wallet)).status).toBe('DECLINED');
    for (const passes of [await withdraw(free), await deposit(free), await deposit()])
      expect(passes.status).toBe('APPROVED');
    expect(contentOf(await release(placed.holdId))).toMatchObject({ inForce: false, version: 2 });
    expect((await withdraw(wallet)).status).toBe('APPROVED');
    expect((await deposit(wallet)).status).toBe('APPROVED');
    expect((await told(t, placed.holdId)).map((e) => e.kind)).toEqual(['wallet_hold.placed', 'wallet_hold.ended']);
  });

  it.each([
    ['an Ethereum address', '0x52908400098527886E0F7030069857D2E4169EE7', '0x52908400098527886e0f7030069857d2e4169ee7'],
    ['a Bech32 address', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['an address with spaces around it', ' TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE ', 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'],
  ])('is of the same wallet however it is written: %s', async (_, held, paid) => {
    const { walletId } = contentOf(await hold({ address: held }));
    expect((await withdraw(paid)).status).toBe('DECLINED');
    expect((await deposit(paid)).status).toBe('DECLINED');
    expect(contentOf(await hold({ address: paid, reason: 'again' })).walletId).toBe(walletId);
  });

  it('is of the wallet that a payment named, without its address being given', async () => {
    const wallet = fresh();
    const { transactionId } = await deposit(wallet);
    const placed = contentOf(await hold({ transactionId }));
    expect(placed).toMatchObject({ transactionId, address: null });
    const { transactionId: declined, status } = await withdraw(wallet);
    expect(status).toBe('DECLINED');
    expect((await list(`transactionId=${declined}`)).items).toMatchObject([{ transactionId }]);
    const decided = await t.get(`/v1/transaction/${declined}?expand=decision`, psp.apiKey);
    expect(contentOf(decided).decision).toMatchObject({ riskCode: 'RISK_POLICY', walletHoldId: placed.holdId });
    // Of a client those are listed that its own payments name.
    const sister = await crypto(psp);
    const listed = async (of: Account) => (await list(`clientId=${of.id}`)).items.map((h: Shown) => h.holdId);
    expect(await listed(client)).toContain(placed.holdId);
    expect(await listed(sister)).not.toContain(placed.holdId);
    expectRefusal(await t.get(`/v1/wallet-hold?clientId=${other.id}`, psp.apiKey), 404, 'NOT_FOUND');
    const without = await deposit();
    expectRefusal(await hold({ transactionId: without.transactionId }), 404, 'NOT_FOUND', /with a wallet/);
    expectRefusal(await hold({ transactionId, address: wallet }), 400, 'FIELD_INVALID', /'address'/);
    expectRefusal(await hold({}), 400, 'FIELD_INVALID', /'transactionId'/);
  });

  it('ends by itself where it says until when, and each of several has to end', async () => {
    const wallet = fresh();
    const soon = new Date(t.now() + 3_600_000).toISOString();
    contentOf(await hold({ address: wallet, until: soon }));
    const lasting = contentOf(await hold({ address: wallet }));
    expectRefusal(await hold({ address: wallet, until: '2020-01-01T00:00:00Z' }), 400, 'FIELD_INVALID', /'until'/);
    t.advance(3_600_000);
    beside.advance(3_600_000);
    expect((await withdraw(wallet)).status).toBe('DECLINED');
    contentOf(await release(lasting.holdId));
    expect((await withdraw(wallet)).status).toBe('APPROVED');
  });

  it('is placed and ended once: the same call again changes nothing', async () => {
    const wallet = fresh();
    const first = await hold({ address: wallet });
    const again = await hold({ address: wallet.toLowerCase() });
    expect(contentOf(again)).toEqual(contentOf(first));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const { holdId } = contentOf(first);
    contentOf(await release(holdId));
    expect((await release(holdId)).headers.get('idempotency-replayed')).toBe('true');
    expect(await told(t, holdId)).toHaveLength(2);
  });

  it('stays with the answer of a ref: what was declined stays so, what was approved too', async () => {
    const wallet = fresh();
    const send = (ref: string) => pay('cryptoWithdrawal', { ref, toAddress: wallet });
    const before = await send('ref-before');
    const { holdId } = contentOf(await hold({ address: wallet }));
    expect(await send('ref-before')).toEqual(before);
    expect((await send('ref-held')).status).toBe('DECLINED');
    contentOf(await release(holdId));
    expect((await send('ref-held')).status).toBe('DECLINED');
  });

  it('is exact: payments of two processes beside it are approved before its commit and declined after it', async () => {
    const wallet = fresh();
    const sent: Promise<Shown>[] = [];
    const some = (count: number) => {
      for (let i = 0; i < count; i++) sent.push(withdraw(wallet, client, i % 2 ? t : beside));
    };
    some(20);
    const placing = hold({ address: wallet });
    some(40);
    const { holdId } = contentOf(await placing);
    some(6);
    const payments = await Promise.all(sent);
    const [placed] = await told(t, holdId);
    const seqs = await t.database.admin.query<{ seq: string; status: string }>(
      `SELECT j.seq, x.status FROM transactions x JOIN journal j ON j.psp_id = x.psp_id AND j.resource_id = x.id
       WHERE x.psp_id = $1 AND x.id::text = ANY ($2)`,
      [psp.uuid, await idsOf(payments)],
    );
    expect(seqs).toHaveLength(66);
    for (const { seq, status } of seqs)
      expect([Number(seq), status]).toEqual([Number(seq), Number(seq) < (placed?.seq ?? 0) ? 'APPROVED' : 'DECLINED']);
    expect(payments.slice(-6).map((p) => p.status)).toEqual(Array.from({ length: 6 }, () => 'DECLINED'));
  });

  it('is listed page by page, newest first, and found by its wallet among many', async () => {
    const own = await t.makePsp();
    const made: string[] = [];
    for (let i = 0; i < 5; i++) {
      const placed = Array.from({ length: 6 }, () => hold({ address: fresh() }, own.apiKey));
      made.push(...(await Promise.all(placed)).map((r) => contentOf(r).holdId));
    }
    const first = await list('limit=20', own.apiKey);
    const second = await list(`limit=20&cursor=${first.nextCursor}`, own.apiKey);
    const listed = [...first.items, ...second.items].map((h: Shown) => h.holdId);
    expect(listed).toEqual([...made].sort().reverse());
    const [one] = second.items;
    expect((await list(`walletId=${one.walletId}`, own.apiKey)).items).toEqual([one]);
    contentOf(await release(one.holdId, own.apiKey));
    expect((await list(`walletId=${one.walletId}&inForce=true`, own.apiKey)).items).toEqual([]);
  });
});

const idsOf = async (payments: readonly Shown[]): Promise<string[]> => {
  const refs = payments.map((p) => p.ref);
  const rows = await t.database.admin.query<{ id: string }>('SELECT id FROM transactions WHERE ref = ANY ($1)', [refs]);
  return rows.map((r) => r.id);
};

describe('who may', () => {
  it('is the PSP and its staff, and nobody learns of a hold of another PSP', async () => {
    const wallet = fresh();
    const { holdId } = contentOf(await hold({ address: wallet }));
    for (const answer of [hold({ address: wallet }, client.apiKey), hold({ address: wallet }, staff.apiKey)])
      expectRefusal(await answer, 403, 'AUDIENCE');
    expectRefusal(await t.get('/v1/wallet-hold', client.apiKey), 403, 'AUDIENCE');
    expectRefusal(await release(holdId, client.apiKey), 403, 'AUDIENCE');
    expectRefusal(await release(holdId, other.apiKey), 404, 'NOT_FOUND');
    expect((await list('', other.apiKey)).items).toEqual([]);
    expectRefusal(await t.get(`/v1/id/${holdId}`, other.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await t.get(`/v1/id/${holdId}`, client.apiKey), 404, 'NOT_FOUND');
    expect(contentOf(await t.get(`/v1/id/${holdId}`, psp.apiKey)).kind).toBe('walletHold');
    const theirs = await crypto(other);
    expect((await withdraw(wallet, theirs)).status).toBe('APPROVED');
    contentOf(await t.post('/v1/wallet-hold', { reason, address: fresh() }, staff.apiKey, { 'x-psp-id': psp.id }));
  });

  it('a client reads the words of any rule that declines, in every place, and nothing of the hold', async () => {
    const wallet = fresh();
    const { holdId } = contentOf(await hold({ address: wallet }));
    const { transactionId } = await withdraw(wallet);
    const read = [
      await t.get(`/v1/transaction/${transactionId}?expand=decision,revisions,request`, client.apiKey),
      await t.get(`/v1/transaction/verifyTransactionStatus?transactionId=${transactionId}`, client.apiKey),
      await t.get(`/v1/transaction/${transactionId}/history`, client.apiKey),
      await t.get(`/v1/audit/receipt/${transactionId}`, client.apiKey),
      await t.get('/v1/transaction?status=DECLINED', client.apiKey),
      await t.get('/v1/event', client.apiKey),
      await t.get('/v1/client/verifyClientStatus', client.apiKey),
      await t.post('/v1/search', { q: wallet }, client.apiKey),
    ];
    const texts = read.map((r) => r.text).join('\n');
    expect(texts).not.toMatch(/private reason|whd_|wallet_hold|on hold/);
    expect(texts).not.toContain(holdId);
    const { decision } = contentOf(read[0] as Shown);
    expect(decision).toMatchObject({
      ...{ status: 'DECLINED', riskCode: 'RISK_POLICY' },
      reason: 'the risk policy of the PSP does not allow it (RISK_POLICY)',
    });
  });
});

describe('from a case, and by rules', () => {
  let second: string;
  let rule: string;
  beforeAll(async () => {
    second = (await issueKey(t, psp)).apiKey;
    const approver = (await issueKey(t, staff)).apiKey;
    const risk = {
      ...{ id: 'TRIED_WALLETS', version: 1, from: '2020-01-01', until: null, severity: 'HIGH', code: 'RISK_POLICY' },
      ...{ scope: { operations: ['cryptoWithdrawal'] }, condition: 'record.amount >= decimal("5000")' },
      ...{ reason: 'Much leaves for one wallet at once.', action: 'holdWallet' },
      source: { title: 'A test of holds', date: '2026-11-27' },
    };
    rule = risk.id;
    const everything = { ...risk, scope: { operations: ['verifyTransaction'] } };
    const refused = await t.post('/v1/admin/proposal', { reason: 'seen', risk: everything }, staff.apiKey);
    expectRefusal(refused, 400, 'RISK_RULE_INVALID', /holdWallet is for cryptoDeposit and cryptoWithdrawal alone/);
    const p = contentOf(await t.post('/v1/admin/proposal', { reason: 'seen', risk }, staff.apiKey));
    contentOf(await t.post(`/v1/admin/proposal/${p.proposalId}/approve`, { reason: 'checked' }, approver));
  });
  const read = () => readersAtEnd(t, ['reviews', 'cases']);
  const large = (toAddress: string, by: Account) =>
    pay('cryptoWithdrawal', { toAddress, totalAmount: 6000, transactionFee: 0 }, by);
  const caseOf = async (of: Account): Promise<Shown> => {
    const [found] = contentOf(await t.get(`/v1/case?clientId=${of.id}`, psp.apiKey)).items;
    return contentOf(await t.get(`/v1/case/${found.caseId}`, psp.apiKey));
  };
  const action = (caseId: string, body: Over, key = psp.apiKey) => t.post(`/v1/case/${caseId}/action`, body, key);

  it('a rule holds the wallet once its PSP has switched it on, once, with the case that says why', async () => {
    const [wallet, by] = [fresh(), await crypto(psp)];
    expect((await large(wallet, by)).status).toBe('APPROVED');
    await read();
    expect((await withdraw(wallet, by)).status).toBe('APPROVED');
    const policy = { declining: [], holding: [rule], reason: 'seen lately' };
    expect(contentOf(await t.post('/v1/risk-policy', policy, psp.apiKey)).holding).toEqual([rule]);
    const { transactionId } = await large(wallet, by);
    await large(fresh(), by);
    await read();
    const c = await caseOf(by);
    const placed = (await list(`caseId=${c.caseId}`)).items;
    expect(placed).toHaveLength(2);
    // Each may be of another process, whose ids of one moment are in no order with those of this one.
    expect(placed).toContainEqual(
      expect.objectContaining({ transactionId, setBy: `rule:${rule}`, inForce: true, address: null }),
    );
    const acts = c.items.filter((i: Shown) => i.kind === 'ACTION');
    expect(acts.map((i: Shown) => [i.action, i.holdId]).sort()).toEqual(
      placed.map((h: Shown) => ['HOLD_WALLET', h.holdId]).sort(),
    );
    for (const status of [
      (await withdraw(wallet, by)).status,
      (await withdraw(wallet)).status,
      (await deposit(wallet)).status,
    ])
      expect(status).toBe('DECLINED');
    // The client itself is on no hold, and the journal read again places nothing.
    expect((await withdraw(fresh(), by)).status).toBe('APPROVED');
    await t.database.admin.query("UPDATE journal_cursors SET seq = 0 WHERE reader IN ('cases', 'reviews')");
    await read();
    expect((await list(`caseId=${c.caseId}`)).items).toEqual(placed);
  });

  it('what a case placed, two people of the PSP end from it, and nobody alone', async () => {
    const [wallet, by] = [fresh(), await crypto(psp)];
    const { transactionId } = await withdraw(wallet, by);
    contentOf(await t.post('/v1/review', { transactionId, reason: 'looks odd' }, psp.apiKey));
    await read();
    const { caseId } = await caseOf(by);
    contentOf(await action(caseId, { action: 'HOLD_WALLET', reason, transactionId }));
    const again = await action(caseId, { action: 'HOLD_WALLET', reason: 'seen twice', transactionId }, second);
    expect(again.body.message).toBe('it is so already');
    expect((await list(`caseId=${caseId}`)).items).toHaveLength(1);
    const beside = contentOf(await hold({ transactionId })).holdId;
    const [{ holdId, ...placed }] = (await list(`caseId=${caseId}`)).items;
    expect(placed).toMatchObject({ transactionId, caseId, inForce: true, reason });
    expect((await withdraw(wallet, by)).status).toBe('DECLINED');
    expectRefusal(await release(holdId), 403, 'TWO_PERSONS', /two people end it/);
    const propose = { action: 'RELEASE', reason: 'the owner was identified', holdId };
    expectRefusal(await action(caseId, propose, other.apiKey), 404, 'NOT_FOUND');
    expect(contentOf(await action(caseId, propose)).proposed).toMatchObject({ action: 'RELEASE', holdId });
    expectRefusal(await t.post(`/v1/case/${caseId}/approve`, {}, psp.apiKey), 409, 'STATE_CONFLICT');
    expect((await withdraw(wallet, by)).status).toBe('DECLINED');
    const approved = await t.post(`/v1/case/${caseId}/approve`, {}, second);
    expect(approved.body.message).toBe(`hold ended; the wallet is still on hold: ${beside}`);
    expect((await withdraw(wallet, by)).status).toBe('DECLINED');
    expect((await release(beside)).body.message).toBe('hold ended');
    expect((await withdraw(wallet, by)).status).toBe('APPROVED');
    // One commit: the entries of hold and case follow each other.
    const seq = async (id: string) => (await told(t, id)).at(-1)?.seq as number;
    expect(await seq(caseId)).toBe((await seq(holdId)) + 1);
    const sale = { ...propose, action: 'HOLD_WALLET', transactionId: (await deposit(undefined, by)).transactionId };
    expectRefusal(await action(caseId, sale), 404, 'NOT_FOUND', /with a wallet/);
  });

  it('leave what the journal has of them complete', () => expectJournalComplete(t));
});
