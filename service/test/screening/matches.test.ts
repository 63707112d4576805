// Who matches whom: clients when they are registered, changed, and when a list changes; customers and wallets of payments.
// Exceptions by people. A match never changes a decision, and its client never learns of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { allSealed } from '../support/audit.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { expectJournalComplete, readersAtEnd } from '../support/journal.ts';

let t: TestApp;
let operator: Account;
let psp: Account;
let other: Account;

beforeAll(async () => {
  t = await makeTestApp();
  operator = await t.makeOperator();
  psp = await t.makePsp();
  other = await t.makePsp();
});
afterAll(() => t.stop());

const exampleOf = (id: string) => operations.find((o) => o.id === id)?.example as object;

interface Match {
  readonly matchId: string;
  readonly clientId: string;
  readonly [field: string]: unknown;
}
const matches = async (query = '', by = psp): Promise<Match[]> =>
  contentOf(await t.get(`/v1/list-matches${query}`, by.apiKey)).items;
const matched = (list: string, by = psp) =>
  until(`a match with ${list}`, async () => (await matches(`?list=${list}&state=OPEN`, by))[0]);
const put = async (list: string, ref: string, body: object, by = psp) =>
  contentOf(await t.post(`/v1/lists/${list}/entries`, { ref, ...body }, by.apiKey));
const named = (registeredName: string, over = {}) => t.makeClient(psp, { registeredName, ...over });
const reviewsOf = async (clientId: string) =>
  contentOf(await t.get(`/v1/review?clientId=${clientId}&limit=50`, psp.apiKey)).items.filter(
    (r: { rule: string }) => r.rule === 'LIST_MATCH',
  );
const resolve = async (client: Account) => {
  for (const { reviewId, state } of await reviewsOf(client.id))
    if (state === 'OPEN')
      contentOf(await t.post(`/v1/review/${reviewId}/resolve`, { outcome: 'CLEARED', note: 'spelling' }, psp.apiKey));
};
const alertStates = async (client: Account) => (await reviewsOf(client.id)).map((r: { state: string }) => r.state);
/** Waits until readers and rescreening have nothing left to do: a later client of a known name matches. */
async function screened(): Promise<void> {
  const list = `OWN_PROBE_${++probes}`;
  await put(list, 'P', { names: [`Probe Number Alpha${probes}zz`] });
  await named(`Probe Number Alpha${probes}zz`);
  await matched(list);
  // The probe may have matched at the change of its list, before the reader came to what was changed before.
  await readersAtEnd(t, ['screening']);
}
let probes = 0;

describe('a client', () => {
  it('that is registered under a listed name matches, with the score of each field and an alert', async () => {
    await put(
      'SHARED_A',
      'A-1',
      { names: ['Belladonna Merchandise'], countryCodes: ['NG'], purpose: 'BLOCK' },
      operator,
    );
    const client = await named('Belladona Merchandise Ltd');
    const match = await matched('SHARED_A');
    expect(match).toMatchObject({
      ...{ clientId: client.id, matched: 'CLIENT', list: 'SHARED_A', shared: true, ref: 'A-1', state: 'OPEN' },
      ...{ asked: 'Belladona Merchandise Ltd', name: 'Belladonna Merchandise', transactionId: null, exception: null },
      fields: [
        { field: 'name', pairs: [{ by: 'SAME' }, { by: 'SOUND' }] },
        { field: 'country', score: 2 },
      ],
    });
    const [alert] = await reviewsOf(client.id);
    expect(alert).toMatchObject({ severity: 'HIGH', state: 'OPEN', transactionId: null });
    expect(alert.reason).toContain(match.matchId);
    // Decisions stay as they are.
    const sale = await t.post('/v1/transaction/verifyTransaction', exampleOf('verifyTransaction'), client.apiKey);
    expect(sale.body.message).toContain('approved');
    expect(await matches('', other)).toEqual([]);
    expect((await matches('', operator)).map((m) => m.matchId)).toContain(match.matchId);
  });

  it('that was registered before matches when the list changes, and no more when the entry is removed', async () => {
    const client = await named('Quintessential Umbrellas');
    await put('OWN_LATER', 'L-1', { names: ['Umbrellas Quintessential'] });
    const { matchId } = await matched('OWN_LATER');
    expect((await matches('?list=OWN_LATER'))[0]).toMatchObject({ clientId: client.id, shared: false });
    contentOf(await t.post('/v1/lists/OWN_LATER/remove', { ref: 'L-1' }, psp.apiKey));
    await until(
      'the match has ended',
      async () => (await matches('?list=OWN_LATER&state=ENDED'))[0]?.matchId === matchId,
    );
    // Nobody has looked at its alert: it opens none beside it.
    await put('OWN_LATER', 'L-1', { names: ['Umbrellas Quintessential'] });
    expect((await matched('OWN_LATER')).matchId).toBe(matchId);
    expect(await alertStates(client)).toEqual(['OPEN']);
  });

  it('matches under its new name when it is renamed', async () => {
    await put('OWN_RENAMED', 'R-1', { names: ['Ostentatious Chandeliers'] });
    const client = await named('Modest Candles');
    await screened();
    expect(await matches('?list=OWN_RENAMED')).toEqual([]);
    contentOf(
      await t.post(
        `/v1/client/${client.id}/update`,
        { registeredName: 'Ostentatious Chandeliers', reason: 'renamed' },
        psp.apiKey,
      ),
    );
    expect((await matched('OWN_RENAMED')).clientId).toBe(client.id);
  });

  it("of another PSP is not screened against a PSP's own list, nor any against an allow list", async () => {
    await put('OWN_PRIVATE', 'P-1', { names: ['Gargantuan Pineapples'] });
    await put('OWN_ALLOW', 'P-2', { names: ['Gargantuan Pineapples'], purpose: 'ALLOW' });
    await t.makeClient(other, { registeredName: 'Gargantuan Pineapples' });
    await named('Gargantuan Pineapples');
    await matched('OWN_PRIVATE');
    await screened();
    expect(await matches('?list=OWN_PRIVATE', other)).toEqual([]);
    expect(await matches('?list=OWN_ALLOW')).toEqual([]);
  });
});

describe('a match whose alert was resolved', () => {
  it('has another alert when the entry is changed, and no second one beside it', async () => {
    await put('OWN_AGAIN', 'A-1', { names: ['Zebedee Quarrington'] });
    const client = await named('Zebedee Quarringtn');
    const match = await matched('OWN_AGAIN');
    await resolve(client);
    await put('OWN_AGAIN', 'A-1', { names: ['Zebedee Quarringtn', 'Zebedee Quarrington'] });
    await until('another alert', async () => (await alertStates(client)).length === 2);
    expect(await alertStates(client)).toEqual(['OPEN', 'RESOLVED']);
    // Nobody has looked at that one: a further change adds none.
    await put('OWN_AGAIN', 'A-1', { names: ['Zebedee Quarringtn', 'Zebedee the Elder'] });
    const now = async () => (await matches('?list=OWN_AGAIN'))[0];
    await until('the match has the change', async () => (await now())?.entryRevision === 3);
    expect(await now()).toMatchObject({ matchId: match.matchId, score: 100 });
    expect(await alertStates(client)).toEqual(['OPEN', 'RESOLVED']);
  });

  it('has another alert when the client is renamed and comes nearer, with an exception too', async () => {
    await put('OWN_NEARER', 'N-1', { names: ['Persimmon Gallantry'] });
    const client = await named('Persimon Galantry');
    const match = await matched('OWN_NEARER');
    await resolve(client);
    contentOf(await t.post(`/v1/list-matches/${match.matchId}/exception`, { reason: 'another company' }, psp.apiKey));
    const rename = async (registeredName: string) => {
      contentOf(await t.post(`/v1/client/${client.id}/update`, { registeredName, reason: 'renamed' }, psp.apiKey));
      await screened();
    };
    await rename('Persimon Galantri');
    expect(await alertStates(client)).toEqual(['RESOLVED']);
    await rename('Persimmon Gallantry');
    expect(await matches('?list=OWN_NEARER')).toMatchObject([{ state: 'OPEN', score: 100, exception: null }]);
    expect(await alertStates(client)).toEqual(['OPEN', 'RESOLVED']);
  });
});

describe('a match that opens again', () => {
  const gone = async (list: string, ref: string) => {
    contentOf(await t.post(`/v1/lists/${list}/remove`, { ref }, psp.apiKey));
    await until('the match has ended', async () => (await matches(`?list=${list}&state=ENDED`)).length === 1);
  };
  const except = async (m: Match, over = {}) =>
    contentOf(await t.post(`/v1/list-matches/${m.matchId}/exception`, { reason: 'another', ...over }, psp.apiKey));

  it('has one alert however often it ends, and another one after that was resolved', async () => {
    const client = await named('Sesquipedalian Lanterns');
    const back = async () => {
      await put('OWN_BACK', 'B-1', { names: ['Lanterns Sesquipedalian'] });
      await matched('OWN_BACK');
    };
    await back();
    for (let i = 0; i < 3; i++) {
      await gone('OWN_BACK', 'B-1');
      await back();
    }
    expect(await alertStates(client)).toEqual(['OPEN']);
    await resolve(client);
    await gone('OWN_BACK', 'B-1');
    expect(await alertStates(client)).toEqual(['RESOLVED']);
    await back();
    expect(await alertStates(client)).toEqual(['OPEN', 'RESOLVED']);
  });

  it('because its exception is over has another alert if the first was resolved, and no second one otherwise', async () => {
    const clients = [await named('Cantankerous Trellises'), await named('Loquacious Gazebos')];
    const lists = ['OWN_OVER_A', 'OWN_OVER_B'];
    await put('OWN_OVER_A', 'O-1', { names: ['Cantankerous Trellises'] });
    await put('OWN_OVER_B', 'O-1', { names: ['Loquacious Gazebos'] });
    const until = new Date(t.now() + 60_000).toISOString();
    for (const list of lists) await except(await matched(list), { until });
    await resolve(clients[1] as Account);
    t.advance(61_000);
    for (const list of lists) await matched(list);
    expect(await Promise.all(clients.map(alertStates))).toEqual([['OPEN'], ['OPEN', 'RESOLVED']]);
  });
});

describe('an exception', () => {
  const exceptionOf = (m: Match, body: object, by = psp) =>
    t.post(`/v1/list-matches/${m.matchId}/exception`, body, by.apiKey);

  it('says who, why and until when, holds while the entry stays, and ends with its change', async () => {
    await put('OWN_TWIN', 'T-1', { names: ['Perpetual Marzipan'] });
    const client = await named('Perpetual Marzipan');
    const match = await matched('OWN_TWIN');
    const body = { reason: 'another company of the same name' };
    const made = contentOf(await exceptionOf(match, body));
    expect(made).toMatchObject({
      state: 'EXCEPTED',
      exception: { ...body, until: null, by: expect.stringMatching(/^key_/) },
    });
    expect(contentOf(await exceptionOf(match, body))).toEqual(made);
    // Screened again for another reason: the exception holds.
    await put('OWN_TWIN', 'T-2', { names: ['Unrelated Haberdashery'] });
    await screened();
    expect((await matches('?list=OWN_TWIN'))[0]).toMatchObject({ state: 'EXCEPTED' });
    await put('OWN_TWIN', 'T-1', { names: ['Perpetual Marzipan', 'Marzipan for ever'] });
    expect(await matched('OWN_TWIN')).toMatchObject({ matchId: match.matchId, exception: null, entryRevision: 2 });
    expect(await alertStates(client)).toEqual(['OPEN']);
  });

  it('ends at its time, and when a person ends it', async () => {
    await put('OWN_TIMED', 'T-1', { names: ['Effervescent Trombones'] });
    await named('Effervescent Trombones');
    const match = await matched('OWN_TIMED');
    expectRefusal(await exceptionOf(match, { reason: 'x', until: '2020-01-01T00:00:00Z' }), 400, 'FIELD_INVALID');
    const until = new Date(t.now() + 60_000).toISOString();
    contentOf(await exceptionOf(match, { reason: 'seen', until }));
    t.advance(61_000);
    expect((await matched('OWN_TIMED')).matchId).toBe(match.matchId);
    contentOf(await exceptionOf(match, { reason: 'seen' }));
    const ended = await t.post(`/v1/list-matches/${match.matchId}/exception/end`, { reason: 'forged' }, psp.apiKey);
    expect(contentOf(ended)).toMatchObject({ state: 'OPEN', exception: null });
  });

  it('is made by those who may see the match only', async () => {
    const [match] = await matches('?list=OWN_TIMED');
    const client = await named('Curious Client');
    expectRefusal(await exceptionOf(match as Match, { reason: 'me' }, client), 403, 'AUDIENCE');
    expectRefusal(await exceptionOf(match as Match, { reason: 'me' }, other), 404, 'NOT_FOUND');
    expectRefusal(await t.get('/v1/list-matches', client.apiKey), 403, 'AUDIENCE');
  });
});

describe('a payment', () => {
  const wallet = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
  const withdrawal = (ref: string, over: object) => ({
    ...exampleOf('cryptoWithdrawal'),
    ...{ ref, toAddress: wallet },
    customer: { email: `${ref}@example.com`, name: 'Ordinary Person' },
    ...over,
  });
  const pay = async (client: Account, body: object) =>
    contentOf(await t.post('/v1/payment/cryptoWithdrawal', body, client.apiKey)) as { transactionId: string };

  it('to a listed wallet, or of a customer with a listed name, matches and is not declined', async () => {
    await put('SHARED_W', 'W-1', { names: ['Lazarus Madeup'], keys: [{ kind: 'wallet', value: wallet }] }, operator);
    await put('SHARED_W', 'W-2', { names: ['Ermintrude Villainous'] }, operator);
    const cash = 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
    await put('SHARED_CASH', 'W-3', { keys: [{ kind: 'wallet', value: cash }] }, operator);
    const client = await named('Plain Exchange');
    const paid = await pay(client, withdrawal('w1', { toAddress: wallet.toLowerCase() }));
    // With its prefix it is the same wallet, also of a deposit that came from it.
    const link = `bitcoincash:${cash}`;
    contentOf(
      await t.post('/v1/payment/cryptoDeposit', { ...exampleOf('cryptoDeposit'), fromAddress: link }, client.apiKey),
    );
    expect(await matched('SHARED_CASH')).toMatchObject({ matched: 'WALLET', ref: 'W-3', asked: link });
    const byWallet = await until('the wallet matches', async () =>
      (await matches('?list=SHARED_W')).find((m) => m.matched === 'WALLET'),
    );
    expect(byWallet).toMatchObject({ transactionId: paid.transactionId, clientId: client.id, ref: 'W-1', score: 100 });
    const toOther = { toAddress: `0x${'1'.repeat(40)}` };
    await pay(
      client,
      withdrawal('w2', { ...toOther, customer: { email: 'e@example.com', name: 'Ermintrud Vilainous' } }),
    );
    const byName = await until('the customer matches', async () =>
      (await matches('?list=SHARED_W')).find((m) => m.matched === 'CUSTOMER'),
    );
    expect(byName).toMatchObject({ ref: 'W-2', asked: 'Ermintrud Vilainous', name: 'Ermintrude Villainous' });
    // The same customer again is the same match.
    await pay(
      client,
      withdrawal('w3', { ...toOther, customer: { email: 'e@example.com', name: 'Ermintrud Vilainous' } }),
    );
    await screened();
    expect((await matches('?list=SHARED_W')).filter((m) => m.matched === 'CUSTOMER')).toHaveLength(1);
  });

  it('to a wallet that the PSP blocked is declined as long as its list has it, however it is written; others pay it', async () => {
    const blocked = '0x52908400098527886E0F7030069857D2E4169EE7';
    const client = await named('Careful Exchange');
    const elsewhere = await t.makeClient(other);
    const statusOf = async (ref: string, toAddress: string, by = client) =>
      (await t.post('/v1/payment/cryptoWithdrawal', withdrawal(ref, { toAddress }), by.apiKey)).body.message;
    const policy = (declining: readonly string[]) =>
      t.post('/v1/risk-policy', { declining, reason: 'our block list' }, psp.apiKey);
    contentOf(await policy(['LISTED_WALLET']));
    expect(await statusOf('b0', blocked)).toContain('approved');
    await put('OWN_BLOCKED', 'B-1', { keys: [{ kind: 'wallet', value: blocked }] });
    const forms = [blocked, blocked.toLowerCase(), `0x${blocked.slice(2).toUpperCase()}`, `ethereum:${blocked}@1`];
    for (const [i, written] of forms.entries())
      expect([written, await statusOf(`b1-${i}`, written)]).toEqual([written, expect.stringContaining('declined')]);
    // What comes from it is declined as what goes to it.
    const from = { ...exampleOf('cryptoDeposit'), ref: 'b1-in', fromAddress: blocked.toLowerCase() };
    expect((await t.post('/v1/payment/cryptoDeposit', from, client.apiKey)).body.message).toContain('declined');
    const [seen] = contentOf(await t.get('/v1/transaction?ref=b1-0', client.apiKey)).items;
    expect(JSON.stringify(seen)).not.toMatch(/OWN_BLOCKED|B-1|LISTED/);
    expect(await statusOf('b2', `0x${'2'.repeat(40)}`)).toContain('approved');
    expect(await statusOf('b3', blocked, elsewhere)).toContain('approved');
    contentOf(await t.post('/v1/lists/OWN_BLOCKED/remove', { ref: 'B-1' }, psp.apiKey));
    expect(await statusOf('b4', blocked)).toContain('approved');
    contentOf(await policy([]));
  });

  it('of a customer whose number or address the PSP blocked is declined, however it is written', async () => {
    const client = await named('Careful Merchant');
    const policy = (declining: readonly string[]) =>
      t.post('/v1/risk-policy', { declining, reason: 'our block list' }, psp.apiKey);
    let n = 0;
    const statusOf = async (customer: object) =>
      (await t.post('/v1/payment/deposit', { ...exampleOf('deposit'), ref: `l${++n}`, customer }, client.apiKey)).body
        .message;
    const number = (phoneNumber: string) => statusOf({ email: `n${n}@example.com`, phoneNumber });
    contentOf(await policy(['LISTED_CUSTOMER']));
    expect(await number('+2348030000009')).toContain('approved');
    await put('OWN_BLOCKED', 'B-2', {
      keys: [
        { kind: 'msisdn', value: '+2348030000009' },
        { kind: 'person', value: 'Bad.Guy@gmail.com' },
      ],
    });
    for (const written of ['+2348030000009', '00234 803 000 0009'])
      expect([written, await number(written)]).toEqual([written, expect.stringContaining('declined')]);
    expect(await statusOf({ email: 'badguy+1@googlemail.com' })).toContain('declined');
    expect(await number('+2348030000008')).toContain('approved');
    expect(await statusOf({ email: 'good.guy@gmail.com' })).toContain('approved');
    contentOf(await t.post('/v1/lists/OWN_BLOCKED/remove', { ref: 'B-2' }, psp.apiKey));
    expect(await number('+2348030000009')).toContain('approved');
    contentOf(await policy([]));
  });

  it("of an erased person keeps the match without the person's name", async () => {
    // Nobody is erased while an alert or a case is open.
    await t.database.admin.query("UPDATE reviews SET state = 'RESOLVED', outcome = 'CLEARED' WHERE person IS NOT NULL");
    await t.database.admin.query("UPDATE cases SET state = 'CLOSED', outcome = 'CLEARED' WHERE person IS NOT NULL");
    contentOf(await t.post('/v1/subject/erase', { subjects: ['email:e@example.com'], reason: 'request' }, psp.apiKey));
    const match = (await matches('?list=SHARED_W')).find((m) => m.matched === 'CUSTOMER');
    expect(match).toMatchObject({ asked: null, name: null, fields: [] });
  });
});

describe('a match', () => {
  it('is in nothing that a key of its client can read', async () => {
    await put('OWN_ZEBRA', 'ZEBRA-1', { names: ['Striped Zebra Trading'] });
    const client = await named('Striped Zebra Trading Ltd');
    const match = await matched('OWN_ZEBRA');
    await allSealed(t);
    const texts: string[] = [];
    for (const o of operations.filter(
      (x) => x.method === 'GET' && x.audience.includes('client') && x.access === undefined,
    )) {
      const path = o.path.replace(':clientId', client.id).replace(/:\w+/g, match.matchId);
      for (const query of ['', '?expand=data', '?expand=revisions,decision', '?limit=200'])
        texts.push((await t.get(path + query, client.apiKey)).text);
    }
    expect(texts.filter((x) => x.startsWith('{"success":true')).length).toBeGreaterThan(20);
    for (const secret of ['OWN_ZEBRA', 'ZEBRA-1', 'LIST_MATCH', 'mtc_', 'list.loaded', 'match.opened'])
      expect(texts.filter((x) => x.replaceAll(match.matchId, '').includes(secret))).toEqual([]);
    const events = await t.database.admin.query(
      "SELECT type FROM webhook_events WHERE type LIKE 'match%' OR type LIKE 'list%'",
    );
    expect(events).toEqual([]);
  });

  it('ends when the entry is removed, of a customer and of a wallet, and is open again with it', async () => {
    const client = await t.makeClient(psp, { classification: 'CRYPTO_GLOBAL' });
    const wallet = `0x${'5c'.repeat(20)}`;
    const entries = [
      { ref: 'G-1', names: ['Zacharias Wimbledonian'] },
      { ref: 'G-2', names: ['A listed wallet'], keys: [{ kind: 'wallet', value: wallet }] },
      { ref: 'G-3', names: ['Zacharias Wimbledonian'] },
    ];
    const list = 'OWN_GONE';
    for (const { ref, ...entry } of entries) await put(list, ref, entry);
    const pay = async (ref: string) =>
      contentOf(
        await t.post(
          '/v1/payment/cryptoWithdrawal',
          {
            ...exampleOf('cryptoWithdrawal'),
            ...{ ref, toAddress: wallet, blochainHash: `0x${ref}`.padEnd(66, '7') },
            customer: { email: 'zw@example.com', name: 'Zacharias Wimbledonian' },
          },
          client.apiKey,
        ),
      );
    await pay('11');
    const states = async () => (await matches(`?list=${list}`)).map((m) => `${m.matched} ${m.ref} ${m.state}`).sort();
    const become = (what: string, expected: string[]) =>
      until(what, async () => JSON.stringify(await states()) === JSON.stringify(expected));
    await become('three are open', ['CUSTOMER G-1 OPEN', 'CUSTOMER G-3 OPEN', 'WALLET G-2 OPEN']);
    // Longer ago than customers are screened again.
    t.advance(200 * 86_400_000);
    for (const ref of ['G-1', 'G-2']) contentOf(await t.post(`/v1/lists/${list}/remove`, { ref }, psp.apiKey));
    await become('two have ended', ['CUSTOMER G-1 ENDED', 'CUSTOMER G-3 OPEN', 'WALLET G-2 ENDED']);
    for (const { ref, ...entry } of entries) await put(list, ref, entry);
    await pay('12');
    const open = ['CUSTOMER G-1 OPEN', 'CUSTOMER G-3 OPEN', 'WALLET G-2 OPEN'];
    await become('they are open again', open);
    // The entry stays, with the wallet in other letters beside another one; then without it.
    const other = { kind: 'wallet', value: `0x${'6d'.repeat(20)}` };
    const same = { kind: 'wallet', value: `0x${'5C'.repeat(20)}` };
    await put(list, 'G-2', { names: ['A wallet under another name'], keys: [other, same] });
    await readersAtEnd(t, ['screening']);
    await put(list, 'G-2', { names: ['A wallet under another name'], keys: [other] });
    await become('the one of the wallet that was taken out has ended', [...open.slice(0, 2), 'WALLET G-2 ENDED']);
    const ended = (await matches(`?list=${list}`)).filter((m) => m.matched === 'WALLET');
    expect(ended.map((m) => m.version)).toEqual([4]);
  });

  it('of a customer ends when its entry has another name, and not when it has more', async () => {
    const client = await named('Renaming Plumbing');
    const list = 'OWN_ANOTHER_NAME';
    const name = 'Quintus Ravensburger';
    await put(list, 'N-1', { names: [name] });
    await put(list, 'N-2', { names: [name] });
    contentOf(
      await t.post(
        '/v1/payment/deposit',
        { ...exampleOf('deposit'), ref: 'renamed', customer: { email: 'qr@example.com', name } },
        client.apiKey,
      ),
    );
    const become = (expected: string[]) =>
      until(expected.join(), async () => {
        const found = await matches(`?list=${list}`);
        return JSON.stringify(found.map((m) => `${m.ref} ${m.state}`).sort()) === JSON.stringify(expected);
      });
    await become(['N-1 OPEN', 'N-2 OPEN']);
    // Longer ago than customers are screened again.
    t.advance(200 * 86_400_000);
    await put(list, 'N-1', { names: ['Wilhelmina Oakentree'] });
    await put(list, 'N-2', { names: ['Wilhelmina Oakentree', 'Q. Ravensburger', name] });
    await become(['N-1 ENDED', 'N-2 OPEN']);
  });

  it('has its entries in the journal', () => expectJournalComplete(t));
});
