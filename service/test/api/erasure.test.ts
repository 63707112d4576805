// Erasing a person: what is readable before and after, who may do it, what the journal records about it, and that all
// records and their proofs remain valid.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VerifiedReceipt } from '../../src/core/audit/receipt.ts';
import { toWire } from '../../src/core/ids.ts';
import { exactJson } from '../../src/core/json.ts';
import { audit } from '../../src/modules/audit/index.ts';
import { sealWith } from '../../src/platform/sealed-secrets.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { allSealed, check, keyOf, receiptOf } from '../support/audit.ts';
import { aCall } from '../support/calls.ts';
import { cdrRow, cdrText, dataDirOf, drop } from '../support/cdr-files.ts';
import {
  contentOf,
  expectRefusal,
  limitsText,
  namesIgnoredFields,
  refusesWrongTypes,
  requiresFields,
  type Wire,
} from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, told, uuidOf } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;
const reason = 'request of 2026-11-20';
const person = () => `person${++n}@example.com`;
const number = () => `+23480311${String(++n).padStart(5, '0')}`;

const deposit = (email: string, over: Record<string, unknown> = {}): Record<string, unknown> => ({
  ref: `dep-${++n}`,
  totalAmount: 1000,
  currency: 'NGN',
  customer: { email, name: 'Ada Obi', phoneNumber: '+2348030000002' },
  countryCode: 'NG',
  transactionFee: 5,
  ...over,
});
const paidIn = async (email: string, over: Record<string, unknown> = {}): Promise<string> =>
  contentOf(await t.post('/v1/payment/deposit', deposit(email, over), client.apiKey)).transactionId;
const paidOut = async (email: string, toAddress: string): Promise<string> =>
  contentOf(
    await t.post(
      '/v1/payment/cryptoWithdrawal',
      // Nothing to be alarmed at: an alert would keep the person.
      {
        ...deposit(email, { totalAmount: 10 }),
        ...{ currency: 'USDT', blochainHash: `0x${String(++n).padStart(64, '0')}`, toAddress },
      },
      client.apiKey,
    ),
  ).transactionId;
const call = (caller_number: string): Record<string, unknown> => ({
  ...aCall,
  cdr_id: `E-${++n}`,
  caller_number,
  imei_caller: '490154203237518',
});
const called = async (caller: string): Promise<string> =>
  contentOf(await t.post('/v1/telecom/recordCDR', call(caller), client.apiKey)).cdrId;

const shown = async (id: string) =>
  contentOf(
    await t.get(
      id.startsWith('cdr') ? `/v1/telecom/cdr/${id}?expand=personal` : `/v1/transaction/${id}?expand=customer`,
      client.apiKey,
    ),
  );
const customer = async (id: string) => (await shown(id)).customer;
const erase = (subjects: string[], key = psp.apiKey, over: Record<string, unknown> = {}, on = t) =>
  on.post('/v1/subject/erase', { subjects, reason, ...over }, key);
const find = async (subjects: string[], key = psp.apiKey): Promise<Record<string, [number, number]>> => {
  const { items } = contentOf(await t.post('/v1/subject/find', { subjects }, key));
  return Object.fromEntries(
    items.map((i: { kind: string; readable: number; erased: number }) => [i.kind, [i.readable, i.erased]]),
  );
};
const none = {
  transactions: [0, 0],
  wagers: [0, 0],
  payouts: [0, 0],
  callRecords: [0, 0],
  contacts: [0, 0],
  owners: [0, 0],
  documents: [0, 0],
  caseItems: [0, 0],
  listMatches: [0, 0],
  disputeEvidence: [0, 0],
};
const rest = { rejectedLines: [0, 0] };

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

const wire: Wire = {
  app: () => t,
  method: 'POST',
  path: '/v1/subject/erase',
  caller: () => psp,
  async body() {
    const email = person();
    await paidIn(email);
    return { subjects: [`email:${email}`], reason };
  },
};

describe('eraseSubject', () => {
  describe('accepts', () => {
    it("shows 'erased' in place of the customer from then on; amounts, taxes and all else stay as they were", async () => {
      const email = person();
      const id = await paidIn(email);
      const { customer: before, ...others } = await shown(id);
      expect(before.customer.email).toBe(email);
      const done = contentOf(await erase([`email:${email}`]));
      expect(done).toEqual({ erasureId: expect.stringMatching(/^ers_[0-9a-z]{26}$/), keys: 1, rejectedLines: 0 });
      expect(await shown(id)).toEqual({ ...others, customer: 'erased' });
      expect((await t.get(`/v1/transaction/${id}?expand=customer`, client.apiKey)).text).not.toContain(email);
    });

    it('finds the person however the e-mail is written', async () => {
      const email = person();
      const id = await paidIn(` ${email}`.trim());
      contentOf(await erase([`email: ${email.toUpperCase()} `]));
      expect(await customer(id)).toBe('erased');
    });

    it('leaves every other person as they were', async () => {
      const [one, other] = [person(), person()];
      const ids = [await paidIn(one), await paidIn(other)];
      contentOf(await erase([`email:${one}`]));
      expect([await customer(ids[0] as string), (await customer(ids[1] as string)).customer.email]).toEqual([
        'erased',
        other,
      ]);
    });

    it('takes a number as call detail records do: with + or 00, and with spaces', async () => {
      for (const spelled of [
        (p: string) => p,
        (p: string) => p.replace('+', '00'),
        (p: string) => `${p.slice(0, 4)} ${p.slice(4)}`,
      ]) {
        const caller = number();
        const id = await called(caller);
        contentOf(await erase([`phone:${spelled(caller)}`]));
        expect((await shown(id)).record.imei_caller).toBe('erased');
      }
    });

    it('erases whoever was paid at an address, and the contact of a client', async () => {
      const [email, address] = [person(), `0x${String(++n).padStart(40, '0')}`];
      const ids = [await paidOut(email, address), await paidIn(email)];
      expect(contentOf(await erase([`address:${address}`])).keys).toBe(1);
      expect(await Promise.all(ids.map(customer))).toEqual(['erased', 'erased']);
      const someone = await t.makeClient(psp);
      expect(await find([`client:${someone.id}`])).toEqual({ ...none, ...rest, contacts: [1, 0] });
      expect(contentOf(await erase([`client:${someone.id}`])).keys).toBe(1);
      expect(await find([`client:${someone.id}`])).toEqual({ ...none, ...rest, contacts: [0, 1] });
    });

    it('takes several names of one person, and is one entry of the journal', async () => {
      const [email, caller] = [person(), number()];
      const ids = [await paidIn(email), await called(caller)] as const;
      const before = await entryCount(t);
      expect(contentOf(await erase([`email:${email}`, `phone:${caller}`, `email:${person()}`])).keys).toBe(2);
      expect(await entryCount(t)).toBe(before + 1);
      expect(await customer(ids[0])).toBe('erased');
      expect((await shown(ids[1])).record.imei_caller).toBe('erased');
    });

    it('keeps what comes of the person later under a new key, and what was erased stays erased', async () => {
      const email = person();
      const old = await paidIn(email);
      contentOf(await erase([`email:${email}`]));
      const later = await paidIn(email);
      expect((await customer(later)).customer.email).toBe(email);
      expect(await customer(old)).toBe('erased');
      expect(await find([`email:${email}`])).toEqual({ ...none, ...rest, transactions: [1, 1] });
      contentOf(await erase([`email:${email}`]));
      expect([await customer(old), await customer(later)]).toEqual(['erased', 'erased']);
    });

    it('drops what stood in rejected lines that name the number; what was wrong with them stays', async () => {
      const [caller, other] = [number(), number()];
      const own = await t.makeClient(psp);
      const bad = { call_duration_seconds: 'x' };
      const lines = [
        cdrRow(`e${++n}`, { caller_number: caller, ...bad }),
        cdrRow(`e${++n}`, { caller_number: other, ...bad }),
      ];
      drop(dataDirOf(t), own, 'bad.csv', cdrText(...lines));
      await t.app.services.cdrIntake.pickUp();
      const { items } = contentOf(await t.get('/v1/telecom/file', own.apiKey));
      const csv = async () => (await t.get(`/v1/telecom/file/${items[0].fileId}/rejected.csv`, own.apiKey)).text;
      expect(await csv()).toContain(caller);
      expect((await find([`phone:${caller}`])).rejectedLines).toEqual([1, 0]);
      expect(contentOf(await erase([`phone:${caller}`]))).toMatchObject({ keys: 0, rejectedLines: 1 });
      expect(await csv()).not.toContain(caller);
      expect(await csv()).toContain(other);
      const errors = contentOf(await t.get(`/v1/telecom/file/${items[0].fileId}/errors`, own.apiKey));
      expect(errors.items).toHaveLength(2);
    });
  });

  describe('validates', () => {
    requiresFields(wire, ['subjects', 'reason']);
    refusesWrongTypes(wire, { array: ['subjects'], text: ['subjects[0]', 'reason'] });
    limitsText(wire, { reason: 500 });
    namesIgnoredFields(wire);

    it.each([
      'ada@example.com',
      'mail:ada@example.com',
      'email:',
      'email:  ',
      ':x',
      'phone:08031234567',
      'phone:+0',
      'client:cli_x',
      'toString:x',
      '__proto__:x',
    ])('refuses %s without quoting it, and erases nothing', async (text) => {
      const email = person();
      const id = await paidIn(email);
      const r = await erase([`email:${email}`, text]);
      expectRefusal(r, 400, 'FIELD_INVALID', /^the field 'subjects\[1\]' must be one of email:, phone: /);
      expect(r.text).not.toContain('ada@');
      expect((await customer(id)).customer.email).toBe(email);
    });

    it('refuses no names and more than twenty', async () => {
      for (const list of [[], Array.from({ length: 21 }, () => `email:${person()}`)])
        expectRefusal(await erase(list), 400, 'FIELD_INVALID', /^the field 'subjects' /);
    });
  });

  describe('authorises', () => {
    it("refuses a client's key", async () => {
      expectRefusal(await erase([`email:${person()}`], client.apiKey), 403, 'AUDIENCE', /^eraseSubject is for /);
    });

    it('reaches the persons of its own PSP only: the same e-mail elsewhere is another person', async () => {
      const email = person();
      const id = await paidIn(email);
      const stranger = await t.makePsp();
      expect(contentOf(await erase([`email:${email}`, `client:${client.id}`], stranger.apiKey))).toEqual({
        erasureId: null,
        keys: 0,
        rejectedLines: 0,
      });
      expect(await find([`email:${email}`], stranger.apiKey)).toEqual({ ...none, ...rest });
      expect((await customer(id)).customer.email).toBe(email);
    });

    it("asks an operator's key for the PSP, and refuses it from a PSP's", async () => {
      const { apiKey } = await t.makeOperator();
      const email = person();
      const id = await paidIn(email);
      expectRefusal(await erase([`email:${email}`], apiKey), 400, 'FIELD_INVALID', /^the field 'pspId' must be given/);
      for (const pspId of ['psp_x', toWire('psp', t.app.services.ids.next()), client.id])
        expectRefusal(await erase([`email:${email}`], apiKey, { pspId }), 404, 'NOT_FOUND');
      expectRefusal(
        await erase([`email:${email}`], psp.apiKey, { pspId: psp.id }),
        400,
        'FIELD_INVALID',
        /^the field 'pspId' is for an operator's key/,
      );
      expect(contentOf(await erase([`email:${email}`], apiKey, { pspId: psp.id })).keys).toBe(1);
      expect(await customer(id)).toBe('erased');
    });
  });

  describe('repeats', () => {
    it('has nothing left to do the second time, and records nothing', async () => {
      const body = await wire.body?.();
      contentOf(await t.post(wire.path, body, psp.apiKey));
      const before = await entryCount(t);
      expect(contentOf(await t.post(wire.path, body, psp.apiKey)).erasureId).toBeNull();
      expect(await entryCount(t)).toBe(before);
    });

    it('erases once of twenty at the same time', async () => {
      const body = await wire.body?.();
      const all = await Promise.all(Array.from({ length: 20 }, () => t.post(wire.path, body, psp.apiKey)));
      expect(all.map(contentOf).filter((c) => c.erasureId !== null)).toHaveLength(1);
    });

    it('does not disturb the repetition of a request: it has its first answer, and brings nothing back', async () => {
      const email = person();
      const body = deposit(email);
      const first = await t.post('/v1/payment/deposit', body, client.apiKey);
      contentOf(await erase([`email:${email}`]));
      const again = await t.post('/v1/payment/deposit', body, client.apiKey);
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(await customer(contentOf(first).transactionId)).toBe('erased');
      expect(await find([`email:${email}`])).toEqual({ ...none, ...rest, transactions: [0, 1] });
      expectRefusal(
        await t.post('/v1/payment/deposit', { ...body, customer: { email: person() } }, client.apiKey),
        409,
        'REF_CONFLICT',
        /another 'customer'/,
      );
    });
  });

  describe('tells', () => {
    it('the journal who, why and when, with the keyed hash of the person alone', async () => {
      const email = person();
      const id = await paidIn(email);
      const { erasureId } = contentOf(await erase([`email:${email}`]));
      const entries = await told(t, erasureId);
      expect(entries).toHaveLength(1);
      expect(entries[0]?.body).toMatchObject({
        type: 'subject.erased',
        timestamp: new Date(t.now()).toISOString(),
        actor: { account: psp.id, by: expect.any(String) },
        data: { erasureId, subjects: [(await told(t, id))[0]?.body.subject], rejectedLines: 0 },
        evidence: { reason },
      });
      expect(entries[0]?.text).not.toContain(email);
      expect(t.logged.join()).not.toContain(email);
      await expectJournalComplete(t);
    });

    it('nothing that a receipt or the seal would contradict: both hold as before, the erasure has its own', async () => {
      const email = person();
      const id = await paidIn(email);
      const before = await receiptOf(t, client, id);
      const { erasureId } = contentOf(await erase([`email:${email}`]));
      const key = await keyOf(t, psp);
      expect((check(before, key) as VerifiedReceipt).entries).toHaveLength(1);
      const after = check(await receiptOf(t, client, id), key) as VerifiedReceipt;
      expect(after.entries).toEqual((check(before, key) as VerifiedReceipt).entries);
      expect(after.entries[0]?.body).toContain('"sealed":"p2.0:');
      const own = check(await receiptOf(t, psp, erasureId), key) as VerifiedReceipt;
      expect(own.entries.map((e) => e.kind)).toEqual(['subject.erased']);
      expectRefusal(await t.get(`/v1/audit/receipt/${erasureId}`, client.apiKey), 404, 'NOT_FOUND');
      await allSealed(t);
      for await (const one of audit({ db: t.database.admin, folders: [] })) expect(one.findings).toEqual([]);
    });
  });
});

describe('findSubject', () => {
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    path: '/v1/subject/find',
    caller: () => psp,
    body: () => ({ subjects: [`email:${person()}`] }),
  };

  it('counts what is kept by kind, shows nothing of it and records nothing', async () => {
    const [email, caller] = [person(), number()];
    await paidIn(email);
    await paidOut(email, `T${'8'.repeat(30)}${n}`);
    await called(caller);
    const bet = { amount: 250, ref: `bet-${++n}`, customer: { email }, ip: '102.0.2.44', type: 'sports' };
    contentOf(await t.post('/captureWager', bet, client.apiKey));
    const win = { amount: 900, ref: `win-${++n}`, customer: { email }, wagerReference: bet.ref };
    contentOf(await t.post('/capturePayout', win, client.apiKey));
    const before = await entryCount(t);
    const subjects = [`email:${email}`, `phone:${caller}`];
    const r = await t.post(wire.path, { subjects }, psp.apiKey);
    for (const text of [email, caller, 'Ada']) expect(r.text).not.toContain(text);
    expect(await find(subjects)).toEqual({
      ...rest,
      transactions: [2, 0],
      wagers: [1, 0],
      payouts: [1, 0],
      callRecords: [1, 0],
      contacts: [0, 0],
      owners: [0, 0],
      documents: [0, 0],
      caseItems: [0, 0],
      listMatches: [0, 0],
      disputeEvidence: [0, 0],
    });
    expect(await entryCount(t)).toBe(before);
  });

  requiresFields(wire, ['subjects']);
  it("refuses a client's key", async () => {
    expectRefusal(await t.post(wire.path, await wire.body?.(), client.apiKey), 403, 'AUDIENCE', /^findSubject is for /);
  });
});

describe('what is sealed for a person', () => {
  it('opens in its own row only, also not in another row of the same person', async () => {
    const email = person();
    const [one, two] = [await paidIn(email), await paidIn(email)];
    const { admin } = t.database;
    const [other] = await admin.query('SELECT sealed FROM transactions WHERE id = $1', [uuidOf(two)]);
    await admin.query('UPDATE transactions SET sealed = $2 WHERE id = $1', [uuidOf(one), other?.sealed]);
    expect((await t.get(`/v1/transaction/${one}?expand=customer`, client.apiKey)).status).toBe(500);
    expect((await customer(two)).customer.email).toBe(email);
  });

  it('still opens where it was sealed before texts were bound to rows, until the person is erased', async () => {
    const email = person();
    const id = await paidIn(email);
    const { subjects, db } = t.app.services;
    const who = subjects.identify(psp.uuid, email);
    const key = (await subjects.load(db, [who])).get(subjects.text(who))?.key as Buffer;
    const old = sealWith(key, exactJson({ customer: { email: 'before@example.com' } }), `${psp.uuid}|${who.subject}`);
    await t.database.admin.query('UPDATE transactions SET sealed = $2 WHERE id = $1', [uuidOf(id), old]);
    expect((await customer(id)).customer.email).toBe('before@example.com');
    expect(await find([`email:${email}`])).toEqual({ ...none, ...rest, transactions: [1, 0] });
    contentOf(await erase([`email:${email}`]));
    await paidIn(email);
    expect(await customer(id)).toBe('erased');
    expect(await find([`email:${email}`])).toEqual({ ...none, ...rest, transactions: [1, 1] });
  });
});

describe('two processes', () => {
  const generation = (sealed: string) => Number(/^p2\.(\d+):/.exec(sealed)?.[1]);

  it('seal nothing under a destroyed key, whichever of them knew it, and forget it within a second', async () => {
    const env = { ASSAY_MASTER_KEY: '5a'.repeat(32) };
    const one = await makeTestApp({ env });
    const two = await makeTestApp({ env, database: one.database });
    try {
      const house = await one.makePsp();
      const email = person();
      const pay = (on: TestApp) => on.post('/v1/payment/deposit', deposit(email), house.apiKey);
      for (const on of [one, two]) contentOf(await pay(on));
      const who = two.app.services.subjects.identify(house.uuid, email);
      expect(two.app.services.subjects.peek(who)?.generation).toBe(0);
      contentOf(await erase([`email:${email}`], house.apiKey, {}, one));
      expect(one.app.services.subjects.peek(who)).toBeUndefined();
      await until('the other process has forgotten the key', async () => {
        return two.app.services.subjects.peek(who) === undefined;
      });
      // Deposits through both while the person is erased again and again.
      for (const on of [one, two]) contentOf(await pay(on));
      for (let round = 0; round < 4; round++) {
        const paid = Array.from({ length: 40 }, (_, i) => pay(i % 2 ? one : two));
        const erased = erase([`email:${email}`], house.apiKey, {}, round % 2 ? one : two);
        for (const r of await Promise.all(paid)) contentOf(r);
        contentOf(await erased);
        for (const on of [one, two]) contentOf(await pay(on));
      }
      const entries = await one.database.admin.query(
        "SELECT kind, body FROM journal WHERE psp_id = $1 AND kind IN ('transaction.created', 'subject.erased') ORDER BY seq",
        [house.uuid],
      );
      let erasures = 0;
      let seen = 0;
      for (const { kind, body } of entries) {
        if (kind === 'subject.erased') erasures++;
        else {
          expect(generation(JSON.parse(body as string).sealed)).toBe(erasures);
          seen++;
        }
      }
      expect([erasures, seen]).toEqual([5, 2 + 2 + 4 * 42]);
      await expectJournalComplete(one);
    } finally {
      await two.stop();
      await one.stop();
    }
  });

  it('erase a caller in the middle of a file: what is recorded after it is under the new key', async () => {
    const env = { ASSAY_MASTER_KEY: '5b'.repeat(32) };
    const one = await makeTestApp({ env });
    const two = await makeTestApp({ env, database: one.database });
    try {
      const house = await one.makePsp();
      const caller = number();
      const rows = Array.from({ length: 2_500 }, (_, i) =>
        cdrRow(`f${i}`, { caller_number: caller, imei_caller: '490154203237518' }),
      );
      const text = [[...Object.keys(rows[0] as object)].join(), ...rows.map((r) => Object.values(r).join()), ''].join(
        '\n',
      );
      drop(dataDirOf(one), house, 'long.csv', text);
      const db = one.database.admin;
      const waits = (what: string) =>
        until(`there is a wait for ${what}`, async () => {
          const rows = await db.query(
            `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
             WHERE d.datname = current_database() AND NOT l.granted AND ${what}`,
          );
          return rows.length > 0;
        });
      let work: Promise<void> | undefined;
      let erasing: ReturnType<typeof erase> | undefined;
      // The first portion is held in the middle of its commit until the erasure waits for it.
      await db.transaction(async (tx) => {
        await tx.query('LOCK TABLE refs IN SHARE MODE');
        work = one.app.services.cdrIntake.pickUp();
        await waits("relation = 'refs'::regclass");
        erasing = erase([`phone:${caller}`], house.apiKey, {}, two);
        await waits("locktype = 'advisory' AND mode = 'ExclusiveLock'");
      });
      expect(contentOf((await erasing) as Awaited<ReturnType<typeof erase>>).keys).toBe(1);
      await work;
      const [erasure] = await db.query("SELECT seq FROM journal WHERE kind = 'subject.erased'");
      const found = await db.query("SELECT seq, body FROM journal WHERE kind = 'cdr.file_portion' ORDER BY seq");
      expect(found.length).toBeGreaterThan(2);
      for (const p of found) {
        const { firstCdrId, lastCdrId, accepted } = JSON.parse(p.body as string).data;
        const records = await db.query('SELECT sealed FROM cdrs WHERE id >= $1 AND id <= $2', [
          uuidOf(firstCdrId),
          uuidOf(lastCdrId),
        ]);
        expect(records).toHaveLength(accepted);
        const expected = (p.seq as number) > (erasure?.seq as number) ? 1 : 0;
        expect(new Set(records.map((r) => generation(r.sealed as string)))).toEqual(new Set([expected]));
      }
      const after = found.filter((p) => (p.seq as number) > (erasure?.seq as number));
      expect(found.length - after.length).toBe(1);
    } finally {
      await two.stop();
      await one.stop();
    }
  });
});
