// Cases: alerts of one client or person gather in one; what people do in it is sealed where it may name people, journalled,
// and decided by two where policy says so. Clients learn nothing.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Element, within } from '../../src/core/exchange/markup.ts';
import { toWire } from '../../src/core/ids.ts';
import { endAlertsOfClosed } from '../../src/modules/cases/index.ts';
import { type Alert, openAlerts } from '../../src/modules/reviews/index.ts';
import { Pool } from '../../src/platform/database.ts';
import { Jobs } from '../../src/platform/jobs.ts';
import { makeLog } from '../../src/platform/log.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { connectMs } from '../support/database.ts';
import { goamlFaults, readGoaml } from '../support/goaml.ts';
import { contentOf, expectRefusal, issueKey } from '../support/guarantees.ts';
import { expectJournalComplete, readersAtEnd, told } from '../support/journal.ts';
import { enter, type SignedIn } from '../support/people.ts';

let t: TestApp;
let psp: Account;
let operator: Account;
let colleague: string;
let n = 0;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  operator = await t.makeOperator();
  colleague = (await issueKey(t, psp)).apiKey;
});
afterAll(() => t?.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;

async function sale(client: Account, over: object = {}): Promise<Shown> {
  const body = {
    totalAmount: 100,
    transactionFee: 0,
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: { card: 100 },
  };
  const ref = `c${++n}`;
  return {
    ref,
    ...contentOf(await t.post('/v1/transaction/verifyTransaction', { ...body, ref, ...over }, client.apiKey)),
  };
}
const large = { totalAmount: 15_000_000, paymentMethods: { card: 15_000_000 } };

const alerted = async (client: Account, over: Partial<Alert> = {}) => {
  const a = {
    psp: psp.uuid,
    account: client.uuid,
    rule: 'NAME_LISTED',
    about: `list:${++n}`,
    reason: 'a match',
    ...over,
  };
  const at = new Date(t.now()).toISOString();
  await t.app.services.db.transaction((tx) => openAlerts(tx, t.app.services, [a as Alert], at));
};
/** An alert that is in its case. */
const alert = async (client: Account, over: Partial<Alert> = {}) => {
  await alerted(client, over);
  await readersAtEnd(t, ['reviews', 'cases']);
};
const list = async (query: string, key = psp.apiKey): Promise<Shown[]> =>
  contentOf(await t.get(`/v1/case${query}`, key)).items;
const casesOf = (client: Account) => list(`?clientId=${client.id}`);
const get = async (caseId: string, key = psp.apiKey): Promise<Shown> =>
  contentOf(await t.get(`/v1/case/${caseId}`, key));
const send = (caseId: string, step: string, body: object, key = psp.apiKey) =>
  t.post(`/v1/case/${caseId}/${step}`, body, key);
const done = async (...of: Parameters<typeof send>): Promise<Shown> => contentOf(await send(...of));

/** A client with one case. */
async function withCase(severity: Alert['severity'] = 'MEDIUM'): Promise<{ client: Account; caseId: string }> {
  const client = await t.makeClient(psp);
  await alert(client, { severity });
  return { client, caseId: (await casesOf(client))[0].caseId };
}

describe('alerts', () => {
  it('of one client gather in one open case, whose severity is the highest and whose due date the earliest', async () => {
    const client = await t.makeClient(psp);
    const first = await sale(client, large);
    await readersAtEnd(t, ['reviews', 'cases']);
    const [opened] = await casesOf(client);
    expect(opened).toMatchObject({ severity: 'MEDIUM', state: 'OPEN', alerts: 1, assignee: null, queue: 'default' });
    await sale(client, large);
    await alert(client, { severity: 'HIGH' });
    const found = await casesOf(client);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ caseId: opened.caseId, severity: 'HIGH', alerts: 3 });
    expect(found[0].dueAt < opened.dueAt).toBe(true);
    const { reviews } = await get(opened.caseId);
    expect(reviews.map((r: Shown) => r.rule).toSorted()).toEqual(['LARGE_AMOUNT', 'LARGE_AMOUNT', 'NAME_LISTED']);
    expect(reviews[0].transactionId).toBe(first.transactionId);
    // With what an officer asks first: how much. An alert of no transaction has none.
    const amounts = reviews.map((r: Shown) => [r.transactionId !== null, r.amount, r.currency]);
    expect(new Set(amounts.map(String))).toEqual(new Set([`true,${large.totalAmount},NGN`, 'false,,']));
  });

  it('of a person gather apart from those of the client', async () => {
    const client = await t.makeClient(psp);
    const person = t.app.services.subjects.identify(psp.uuid, 'ada@example.com').subject;
    await alert(client);
    await alert(client, { person });
    await alert(client, { person });
    const found = await casesOf(client);
    expect(found.map((c) => [c.aboutPerson, c.alerts]).toSorted()).toEqual([
      [false, 1],
      [true, 2],
    ]);
  });

  it('are numbered by case, and gathered once when the journal is read again', async () => {
    await withCase();
    const numbers = (await list('?limit=200')).map((c) => c.number).toSorted((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    const alerts = async () => (await t.database.admin.query("SELECT 1 FROM case_items WHERE kind = 'ALERT'")).length;
    const before = await alerts();
    await t.database.admin.query("UPDATE journal_cursors SET seq = 0 WHERE reader = 'cases'");
    await alert(await t.makeClient(psp));
    expect(await alerts()).toBe(before + 1);
  });

  it('that come after a case was closed open another one', async () => {
    const { client, caseId } = await withCase();
    await done(caseId, 'close', { outcome: 'CLEARED', note: 'fine' });
    await alert(client);
    expect((await casesOf(client)).map((c) => c.state).toSorted()).toEqual(['CLOSED', 'OPEN']);
  });
});

describe('the alerts of a case of a thousand', () => {
  it('end with it, in commits of two hundred, also what a call that was cut off left', async () => {
    const client = await t.makeClient(psp);
    const at = new Date(t.now()).toISOString();
    const made = Array.from(
      { length: 1000 },
      (_, i): Alert => ({
        ...{ psp: psp.uuid, account: client.uuid, rule: 'NAME_LISTED', about: `list:m${i}`, reason: 'a match' },
      }),
    );
    await t.app.services.db.transaction((tx) => openAlerts(tx, t.app.services, made, at));
    await readersAtEnd(t, ['reviews', 'cases']);
    const [{ caseId }] = await casesOf(client);
    const commits = () =>
      t.database.admin.query<{ state: string; outcome: string | null; n: number }>(
        `SELECT state, outcome, count(*)::int AS n FROM reviews WHERE account_id = '${client.uuid}'
         GROUP BY state, outcome, xmin::text ORDER BY n DESC`,
      );
    expect(await commits()).toEqual([{ state: 'OPEN', outcome: null, n: 1000 }]);
    await done(caseId, 'note', { note: 'they are all the same' });
    await done(caseId, 'close', { outcome: 'CLEARED', note: 'a namesake' });
    const ended = { state: 'RESOLVED', outcome: 'CLEARED', n: 200 };
    expect(await commits()).toEqual([ended, ended, ended, ended, ended]);
    // As if the call had ended before the last of them.
    await t.database.admin.query(
      `UPDATE reviews SET state = 'OPEN', outcome = NULL, notes = '[]' WHERE account_id = '${client.uuid}' AND about > 'list:m7'`,
    );
    // What was queued before the case was closed ends them, in the name of who closed it.
    await t.database.admin.query('UPDATE graphile_worker._private_jobs SET run_at = now()');
    const log = makeLog('silent');
    const pool = new Pool(t.database.url, { max: 4, log, role: 'assay_app', connectMs });
    const once = { name: 'never', cron: '0 0 30 2 *', run: async () => undefined };
    const jobs = new Jobs(pool, log, [once], [endAlertsOfClosed(t.app.services)]);
    await jobs.start();
    await until('all alerts ended', async () => (await commits()).every((c) => c.state === 'RESOLVED'));
    await jobs.stop();
    await pool.end();
    const after = await commits();
    expect(after.map((c) => c.state)).toEqual(after.map(() => 'RESOLVED'));
    const [last] = (await get(caseId)).reviews.toReversed();
    expect(last.notes).toEqual([expect.objectContaining({ text: expect.stringMatching(/^Case \d+ was closed/) })]);
    expect((await get(caseId)).reviews.filter((r: Shown) => r.outcome === 'CLEARED')).toHaveLength(1000);
  });
});

describe('due dates', () => {
  it('are in working days by severity, and overdue cases can be asked for', async () => {
    const { client, caseId } = await withCase('LOW');
    const days = (c: Shown) => (Date.parse(c.dueAt) - Date.parse(c.createdAt)) / 86_400_000;
    // Fifteen working days after a Saturday end on a Friday.
    expect(days(await get(caseId))).toBe(20);
    expect(await list(`?overdue=true&clientId=${client.id}`)).toEqual([]);
    t.advance(22 * 86_400_000);
    expect((await list(`?overdue=true&clientId=${client.id}`)).map((c) => c.caseId)).toEqual([caseId]);
    const due = (await list('?state=ACTIVE&limit=200')).map((c) => c.dueAt);
    expect(due).toEqual(due.toSorted());
  });

  it('order the list over all its pages', async () => {
    const all = (await list('?limit=200')).map((c) => c.caseId);
    expect(all.length).toBeGreaterThan(4);
    const paged: string[] = [];
    for (let cursor = ''; ; ) {
      const page = contentOf(await t.get(`/v1/case?limit=2${cursor}`, psp.apiKey));
      paged.push(...page.items.map((c: Shown) => c.caseId));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(paged).toEqual(all);
    // Staff read the clients of every PSP by name.
    const shown = await list('?limit=200', operator.apiKey);
    expect(shown.map((c) => c.caseId)).toEqual(expect.arrayContaining(all));
    for (const c of shown.filter((c) => c.clientId.startsWith('cli_')).slice(0, 2))
      expect(c.clientName).toBe(contentOf(await t.get(`/v1/client/${c.clientId}`, psp.apiKey)).registeredName);
    // Each says why it was opened.
    expect(new Set(shown.map((c) => c.rule)).size).toBeGreaterThan(1);
    for (const c of shown) {
      const [first] = contentOf(await t.get(`/v1/case/${c.caseId}`, operator.apiKey)).reviews;
      expect(c.rule).toBe(first.rule);
    }
  });
});

describe('a case', () => {
  it('is assigned, noted on, escalated, closed and reopened, with an entry each', async () => {
    const { client, caseId } = await withCase();
    expect(await done(caseId, 'assign', {})).toMatchObject({
      state: 'IN_REVIEW',
      assignee: expect.stringMatching(/^key_/),
    });
    await done(caseId, 'note', { note: 'Ada Obi was asked' });
    expect(await done(caseId, 'escalate', { note: 'a hard one', queue: 'aml' })).toMatchObject({
      ...{ state: 'ESCALATED', queue: 'aml', assignee: null },
    });
    expect(await done(caseId, 'close', { outcome: 'CONFIRMED', note: 'forged' })).toMatchObject({ state: 'CLOSED' });
    const { reviews, items } = await get(caseId);
    expect(reviews.map((r: Shown) => [r.state, r.outcome])).toEqual([['RESOLVED', 'CONFIRMED']]);
    expect(items.map((i: Shown) => [i.step, i.text])).toEqual([
      [null, 'Ada Obi was asked'],
      ['escalate', 'a hard one'],
      ['close', 'forged'],
    ]);
    expectRefusal(await send(caseId, 'assign', {}), 409, 'STATE_CONFLICT');
    // It was escalated, so nobody had it.
    expect(await done(caseId, 'reopen', { note: 'new evidence' })).toMatchObject({
      state: 'OPEN',
      assignee: null,
      outcome: null,
    });
    expectRefusal(await send(caseId, 'reopen', { note: 'again' }), 409, 'STATE_CONFLICT');
    const entries = await told(t, caseId);
    expect(entries.map((e) => e.body.evidence.step)).toEqual([
      ...['alert', 'assign', 'note', 'escalate', 'close', 'reopen'],
    ]);
    expect(entries.map((e) => e.body.version)).toEqual([1, 2, 3, 4, 5, 6]);
    const listed = contentOf(await t.get(`/v1/journal?kind=case.updated&clientId=${client.id}`, psp.apiKey)).items;
    expect(listed.map((e: Shown) => e.step).reverse()).toEqual([
      ...['CASE_ASSIGNED', 'CASE_NOTED', 'CASE_ESCALATED', 'CASE_CLOSED', 'CASE_REOPENED'],
    ]);
    // What may name people is in no entry.
    expect(entries.map((e) => e.text).join()).not.toMatch(/Ada Obi|a hard one|forged/);
  });

  it('counts among what is kept of the person it is about, and is unreadable once the person is erased', async () => {
    const client = await t.makeClient(psp);
    const email = `noted${++n}@example.com`;
    const paid = contentOf(
      await t.post(
        '/v1/payment/deposit',
        {
          ...{ ref: `f${n}`, totalAmount: 10, currency: 'NGN', countryCode: 'NG', transactionFee: 0 },
          customer: { email, name: 'Noted Customer' },
        },
        client.apiKey,
      ),
    );
    expect(paid.status).toBe('APPROVED');
    const person = t.app.services.subjects.identify(psp.uuid, email).subject;
    await alert(client, { person });
    const [{ caseId }] = await casesOf(client);
    await done(caseId, 'note', { note: 'Noted Customer was asked' });
    const file = {
      name: 'letter.txt',
      type: 'text/plain',
      content: Buffer.from('found in the post').toString('base64'),
    };
    await done(caseId, 'file', file);
    const kept = async () =>
      contentOf(await t.post('/v1/subject/find', { subjects: [`email:${email}`] }, psp.apiKey)).items.find(
        (i: Shown) => i.kind === 'caseItems',
      );
    expect(await kept()).toEqual({ kind: 'caseItems', readable: 2, erased: 0 });
    const erase = () => t.post('/v1/subject/erase', { subjects: [`email:${email}`], reason: 'request' }, psp.apiKey);
    expectRefusal(await erase(), 409, 'STATE_CONFLICT', new RegExp(`open case ${caseId}`));
    const heldBy = async () =>
      contentOf(await t.post('/v1/subject/find', { subjects: [`email:${email}`] }, psp.apiKey)).heldBy;
    expect(await heldBy()).toEqual({ id: caseId, kind: 'CASE', until: null });
    // A case about the client is none about this person.
    await alert(client);
    await done(caseId, 'close', { outcome: 'CLEARED', note: 'fine' });
    expect(await heldBy()).toBeNull();
    contentOf(await erase());
    expect(await kept()).toEqual({ kind: 'caseItems', readable: 0, erased: 3 });
    expect((await get(caseId)).items[0].text).toBe('erased');
    await done(caseId, 'reopen', { note: 'a file came' });
    // What is added afterwards is under a new key, the same file too.
    for (let i = 0; i < 2; i++) await done(caseId, 'file', file);
    const files = (await get(caseId)).items.filter((i: Shown) => i.kind === 'FILE');
    expect(files.map((f: Shown) => f.text).sort()).toEqual(['erased', 'letter.txt']);
    const { itemId } = files.find((f: Shown) => f.text === 'letter.txt');
    const read = await t.get(`/v1/case/${caseId}/file/${itemId}`, psp.apiKey);
    expect([read.status, read.text]).toEqual([200, 'found in the post']);
  });

  it('keeps its person from being erased from its first alert on, before the alert is in a case', async () => {
    const client = await t.makeClient(psp);
    const known = [`email:early${++n}@example.com`, `client:${client.id}`] as const;
    const person = t.app.services.subjects.identify(psp.uuid, known[0].slice('email:'.length)).subject;
    const heldBy = async (subject: string) =>
      contentOf(await t.post('/v1/subject/find', { subjects: [subject] }, psp.apiKey)).heldBy;
    const erase = (subject: string) =>
      t.post('/v1/subject/erase', { subjects: [subject], reason: 'request' }, psp.apiKey);
    for (const subject of known) expect(await heldBy(subject)).toBeNull();
    await t.database.admin.transaction(async (tx) => {
      await tx.query("SELECT 1 FROM journal_cursors WHERE psp_id = $1 AND reader = 'cases' FOR UPDATE", [psp.uuid]);
      await alerted(client, { person });
      expect(await heldBy(known[1])).toBeNull();
      await alerted(client);
      expect(await casesOf(client)).toEqual([]);
      for (const subject of known) {
        const { id, ...held } = await heldBy(subject);
        expect(held).toEqual({ kind: 'ALERT', until: null });
        expectRefusal(await erase(subject), 409, 'STATE_CONFLICT', new RegExp(`open alert ${id}`));
      }
    });
    await readersAtEnd(t, ['cases']);
    for (const subject of known) expect(await heldBy(subject)).toMatchObject({ kind: 'CASE', until: null });
  });

  it('keeps its person from being erased before it is raised: what was paid is looked through first', async () => {
    const client = await t.makeClient(psp);
    const email = `hasty${++n}@example.com`;
    const subjects = [`email:${email}`];
    const heldBy = async () => contentOf(await t.post('/v1/subject/find', { subjects }, psp.apiKey)).heldBy;
    const erase = () => t.post('/v1/subject/erase', { subjects, reason: 'request' }, psp.apiKey);
    // As a process that hangs while it reads.
    const whileHung = <T>(work: () => Promise<T>) =>
      t.database.admin.transaction(async (tx) => {
        await tx.query("SELECT 1 FROM journal_cursors WHERE psp_id = $1 AND reader = 'reviews' FOR UPDATE", [psp.uuid]);
        return work();
      });
    const pay = async (toAddress: string) =>
      contentOf(
        await t.post(
          '/v1/payment/cryptoWithdrawal',
          {
            ...{
              ref: `hasty${++n}`,
              totalAmount: 10,
              currency: 'USDT',
              countryCode: 'NG',
              transactionFee: 0,
              toAddress,
            },
            ...{ blochainHash: `0x${String(n).padStart(64, '0')}`, customer: { email, name: 'Hasty Customer' } },
          },
          client.apiKey,
        ),
      ).transactionId;
    let answered = false;
    // Nothing is wrong with the first payment: the erasure waits until that is known.
    const [waiting] = await whileHung(async () => {
      await pay(`0x${String(n).padStart(40, '0')}`);
      const asked = erase().finally(() => {
        answered = true;
      });
      await readersAtEnd(t, ['player-alerts', 'screening']);
      expect(answered).toBe(false);
      return [asked];
    });
    expect(contentOf(await waiting)).toMatchObject({ keys: 1 });
    const kept = await whileHung(async () => {
      const id = await pay('nowhere');
      const [held, refused] = await Promise.all([heldBy(), erase()]);
      expect(held).toEqual({ id: null, kind: 'UNREAD', until: null });
      expectRefusal(refused, 409, 'STATE_CONFLICT', /not looked through for alerts yet; nothing was erased/);
      return id;
    });
    // Once the reader goes on, the alert keeps the person.
    expectRefusal(await erase(), 409, 'STATE_CONFLICT', /open (alert|case)/);
    expect(await heldBy()).toMatchObject({ id: expect.any(String), until: null });
    const { customer } = contentOf(await t.get(`/v1/transaction/${kept}?expand=customer`, client.apiKey));
    expect(customer.customer.email).toBe(email);
  });

  it('of high severity is closed by two', async () => {
    const { caseId } = await withCase('HIGH');
    const proposed = await done(caseId, 'close', { outcome: 'CLEARED', note: 'a namesake' });
    expect(proposed).toMatchObject({ state: 'OPEN', proposed: { action: 'CLOSE', outcome: 'CLEARED' } });
    expectRefusal(await send(caseId, 'approve', {}), 409, 'STATE_CONFLICT');
    await done(caseId, 'reject', { note: 'look at the birthday' });
    expectRefusal(await send(caseId, 'approve', {}, colleague), 409, 'STATE_CONFLICT');
    await done(caseId, 'close', { outcome: 'CLEARED', note: 'another birthday' });
    expect(await done(caseId, 'approve', {}, colleague)).toMatchObject({ state: 'CLOSED', outcome: 'CLEARED' });
    expect((await get(caseId)).reviews[0]).toMatchObject({ state: 'RESOLVED', outcome: 'CLEARED' });
  });

  it('keeps what is proposed until it is approved or rejected, whatever others propose', async () => {
    const { client, caseId } = await withCase('HIGH');
    const close = (outcome: string, key = psp.apiKey) => send(caseId, 'close', { outcome, note: 'decided' }, key);
    const proposed = contentOf(await close('CLEARED')).proposed;
    for (const outcome of ['CLEARED', 'CONFIRMED'])
      expectRefusal(await close(outcome, colleague), 409, 'STATE_CONFLICT');
    expect((await get(caseId)).proposed).toEqual(proposed);
    // Who proposed it may propose another outcome.
    expect(contentOf(await close('CONFIRMED')).proposed).toMatchObject({ outcome: 'CONFIRMED', by: proposed.by });
    await done(caseId, 'reject', { note: 'not yet' }, colleague);
    await done(caseId, 'action', { action: 'HOLD', reason: 'name match' }, operator.apiKey);
    const { holdId } = (await get(caseId)).items.at(-1);
    const release = () => send(caseId, 'action', { action: 'RELEASE', reason: 'a namesake', holdId }, operator.apiKey);
    expect(contentOf(await release()).proposed).toMatchObject({ action: 'RELEASE', holdId });
    // The hold would stay, and nobody would be asked about it any more.
    expectRefusal(await close('CLEARED'), 409, 'STATE_CONFLICT', /approve or reject that first/);
    await done(caseId, 'reject', { note: 'not yet' });
    const ended = await t.post(
      `/v1/admin/account/${client.id}/hold/${holdId}/release`,
      { reason: 'x' },
      operator.apiKey,
    );
    contentOf(ended);
    expectRefusal(await release(), 404, 'NOT_FOUND', /that has not ended/);
  });

  it('that an alert joins is to be closed by two again', async () => {
    const { client, caseId } = await withCase('HIGH');
    await done(caseId, 'close', { outcome: 'CLEARED', note: 'fine' });
    await alert(client);
    expect((await get(caseId)).proposed).toBeNull();
  });

  it('has one end, also where two give it another at once', async () => {
    const { caseId } = await withCase();
    const close = (outcome: string) => send(caseId, 'close', { outcome, note: 'decided' });
    const answers = await Promise.all([close('CLEARED'), close('CONFIRMED')]);
    expect(answers.map((r) => r.status).toSorted()).toEqual([200, 409]);
  });

  it('takes files, sealed and hashed, and gives them back', async () => {
    const { caseId } = await withCase();
    const text = 'Invoice 1001 of Ada Obi\n';
    const content = Buffer.from(text).toString('base64');
    const added = { name: 'invoice Obi.txt', type: 'text/plain', content };
    await done(caseId, 'file', added);
    await done(caseId, 'file', added);
    const [file, ...more] = (await get(caseId)).items;
    expect(more).toEqual([]);
    const sha256 = createHash('sha256').update(text).digest('hex');
    expect(file).toMatchObject({
      kind: 'FILE',
      text: 'invoice Obi.txt',
      type: 'text/plain',
      size: text.length,
      sha256,
    });
    const got = await t.get(`/v1/case/${caseId}/file/${file.itemId}`, psp.apiKey);
    expect([got.status, got.text]).toEqual([200, text]);
    for (const wrong of [
      { ...added, type: 'application/pdf' },
      { ...added, content: 'not base64!' },
      { ...added, type: 'text/plain', content: Buffer.from([0xff, 0xfe]).toString('base64') },
    ])
      expectRefusal(await send(caseId, 'file', wrong), 400, 'FIELD_INVALID');
    expectRefusal(await send(caseId, 'file', { ...added, type: 'text/html' }), 400, 'FIELD_INVALID');
    const rows = await t.database.admin.query('SELECT content, sealed FROM case_items');
    const files = await t.database.admin.query('SELECT sealed FROM case_files');
    // Long enough not to come about in what is sealed, by chance.
    expect(JSON.stringify([rows, files])).not.toMatch(/Ada Obi|invoice|SW52b2ljZS/i);
  });

  it('takes a file of ten MiB, and none that is larger', async () => {
    const { caseId } = await withCase();
    const sized = (bytes: number) => ({
      ...{ name: 'scan.pdf', type: 'application/pdf' },
      content: Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(bytes - 5, 65)]).toString('base64'),
    });
    await done(caseId, 'file', sized(10 << 20));
    expectRefusal(await send(caseId, 'file', sized((10 << 20) + 1)), 400, 'FIELD_INVALID');
  });

  it('has each file, link and report once, with a number of its own, where many do the same at once', async () => {
    const { client, caseId } = await withCase();
    const { transactionId } = await sale(client);
    const many = (step: string, body: object): Promise<Shown[]> =>
      Promise.all(Array.from({ length: 8 }, () => send(caseId, step, body)));
    const report = {
      ...{ reportingEntity: '1234', currency: 'NGN', reportedBy: { firstName: 'Ngozi', lastName: 'Eze' } },
      ...{ reason: 'split', action: 'none', indicators: ['X'], transactionIds: [transactionId, transactionId] },
    };
    for (const r of await many('str', report)) contentOf(r);
    const reports = (await get(caseId)).items;
    const { number } = await get(caseId);
    const names = Array.from({ length: 8 }, (_, i) => `str-${number}-${i + 1}.xml`);
    expect(reports.map((i: Shown) => i.text).toSorted()).toEqual(names);
    const { itemId } = reports[0];
    const { text } = await t.get(`/v1/case/${caseId}/file/${itemId}`, psp.apiKey);
    expect(within(readGoaml(text), 'transaction')).toHaveLength(1);
    const sentOn = new Date(t.now()).toISOString().slice(0, 10);
    const sent = await many(`str/${itemId}/sent`, { sentOn, reference: 'NFIU-1' });
    expect(sent.map((r) => r.status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
    for (const wrong of ['2001-01-01', '2031-01-01'])
      expectRefusal(
        await send(caseId, `str/${reports[1].itemId}/sent`, { sentOn: wrong, reference: 'NFIU-2' }),
        400,
        'FIELD_INVALID',
      );
    await many('link', { to: transactionId });
    await many('file', { name: 'a.txt', type: 'text/plain', content: Buffer.from('once').toString('base64') });
    const kinds = (await get(caseId)).items.slice(8).map((i: Shown) => i.kind);
    expect(kinds).toEqual(['ACTION', 'LINK', 'FILE']);
  });

  it('is assigned to those who may work on it, and to nobody else', async () => {
    const { client, caseId } = await withCase();
    const [reviewer, auditor] = [await enter(t, psp, 'reviewer'), await enter(t, psp, 'auditor')];
    const [ofClient, elsewhere] = [
      await enter(t, client, 'administrator'),
      await enter(t, await t.makePsp(), 'reviewer'),
    ];
    const officer = await enter(t, operator, 'reviewer');
    const review = (await get(caseId)).reviews[0].reviewId;
    const assign = async (to: SignedIn, key = psp.apiKey) => {
      const body = { assignee: to.userId };
      const answers = [await send(caseId, 'assign', body, key), await t.post(`/v1/review/${review}/assign`, body, key)];
      return answers.map((r) => r.status);
    };
    expect(await assign(reviewer)).toEqual([200, 200]);
    for (const wrong of [auditor, ofClient, elsewhere, officer]) expect(await assign(wrong)).toEqual([400, 400]);
    for (const wrong of [auditor, ofClient, elsewhere])
      expect(await assign(wrong, operator.apiKey)).toEqual([400, 400]);
    expect(await assign(officer, operator.apiKey)).toEqual([200, 200]);
    contentOf(await t.post(`/v1/admin/user/${reviewer.userId}/disable`, { reason: 'left' }, psp.apiKey));
    expect(await assign(reviewer)).toEqual([400, 400]);
  });

  it('is taken over by one of two who take it in the same moment, and so is a review', async () => {
    const { caseId } = await withCase();
    const review = (await get(caseId)).reviews[0].reviewId;
    const people = await Promise.all([1, 2, 3].map(() => enter(t, psp, 'reviewer')));
    for (const path of [`/v1/case/${caseId}/assign`, `/v1/review/${review}/assign`]) {
      const take = (p: SignedIn | undefined, from: string | null) =>
        t.post(path, { assignee: p?.userId ?? null, from }, psp.apiKey);
      const all = await Promise.all(people.map((p) => take(p, null)));
      expect(all.map((r) => r.status).sort()).toEqual([200, 409, 409]);
      const { assignee } = contentOf(all.find((r) => r.status === 200) as Shown);
      const late = people.find((p) => p.userId !== assignee);
      expectRefusal(await take(late, null), 409, 'STATE_CONFLICT');
      expect(contentOf(await take(late, assignee)).assignee).toBe(late?.userId);
      // Asked again it is as it was asked to be.
      expect((await take(late, assignee)).status).toBe(200);
      expectRefusal(await take(undefined, assignee), 409, 'STATE_CONFLICT');
    }
  });

  it('is nobody’s once whoever had it is disabled or may only read, with its reviews, and an entry says so', async () => {
    for (const [step, body] of [
      ['disable', { reason: 'left' }],
      ['role', { role: 'auditor', reason: 'moved' }],
    ] as const) {
      const reviewer = await enter(t, psp, 'reviewer');
      const cases = [await withCase(), await withCase(), await withCase()].map((c) => c.caseId);
      for (const id of cases) {
        await done(id, 'assign', { assignee: reviewer.userId });
        const review = (await get(id)).reviews[0].reviewId;
        contentOf(await t.post(`/v1/review/${review}/assign`, { assignee: reviewer.userId }, psp.apiKey));
      }
      // One that was closed says who closed it.
      await done(cases[2] as string, 'close', { outcome: 'CLEARED', note: 'a namesake' });
      const before = await Promise.all(cases.map((id) => get(id)));
      contentOf(await t.post(`/v1/admin/user/${reviewer.userId}/${step}`, body, psp.apiKey));
      const after = await Promise.all(cases.map((id) => get(id)));
      expect(after.map((c) => c.assignee)).toEqual([null, null, reviewer.userId]);
      expect(after.map((c) => c.state)).toEqual(['OPEN', 'OPEN', 'CLOSED']);
      expect(after.slice(0, 2).map((c) => c.reviews[0].assignee)).toEqual([null, null]);
      expect(after.map((c, i) => c.version - before[i].version)).toEqual([1, 1, 0]);
    }
  });

  it('is not closed by the word of somebody who was disabled since, nor of one who may only read', async () => {
    for (const [step, body] of [
      ['disable', { reason: 'left' }],
      ['role', { role: 'auditor', reason: 'moved' }],
    ] as const) {
      const reviewer = await enter(t, psp, 'reviewer');
      const { caseId } = await withCase('HIGH');
      contentOf(await reviewer.post(`/v1/case/${caseId}/close`, { outcome: 'CLEARED', note: 'a namesake' }));
      contentOf(await t.post(`/v1/admin/user/${reviewer.userId}/${step}`, body, psp.apiKey));
      expectRefusal(await send(caseId, 'approve', {}), 409, 'STATE_CONFLICT', /disabled since/);
      await done(caseId, 'reject', { note: 'proposed by somebody who left' });
      expect(await done(caseId, 'close', { outcome: 'CONFIRMED', note: 'seen again' }, colleague)).toMatchObject({
        proposed: { outcome: 'CONFIRMED' },
      });
    }
  });

  it('stays with its assignee when it is reopened, and is nobody’s where that was disabled or may only read', async () => {
    for (const [step, body, state] of [
      ['disable', { reason: 'left' }, 'OPEN'],
      ['role', { role: 'auditor', reason: 'moved' }, 'OPEN'],
      ['role', { role: 'administrator', reason: 'moved' }, 'IN_REVIEW'],
    ] as const) {
      const reviewer = await enter(t, psp, 'reviewer');
      const { caseId } = await withCase();
      await done(caseId, 'assign', { assignee: reviewer.userId });
      await done(caseId, 'close', { outcome: 'CLEARED', note: 'a namesake' });
      contentOf(await t.post(`/v1/admin/user/${reviewer.userId}/${step}`, body, psp.apiKey));
      const assignee = state === 'OPEN' ? null : reviewer.userId;
      expect(await done(caseId, 'reopen', { note: 'new evidence' })).toMatchObject({ state, assignee });
      const unassigned = (await list('?state=ACTIVE&assignee=none&limit=200')).map((c: Shown) => c.caseId);
      expect(unassigned.includes(caseId)).toBe(assignee === null);
    }
  });

  it('is not closed by the word of a key that was revoked since, only of one that was replaced', async () => {
    const proposed = async (key: string) => {
      const { caseId } = await withCase('HIGH');
      await done(caseId, 'close', { outcome: 'CLEARED', note: 'a namesake' }, key);
      return caseId;
    };
    const leaked = contentOf(await t.post('/v1/key', { name: 'leaked' }, psp.apiKey));
    const ofLeaked = await proposed(leaked.apiKey);
    contentOf(await t.post(`/v1/key/${leaked.keyId}/revoke`, { reason: 'leaked' }, psp.apiKey));
    expectRefusal(await send(ofLeaked, 'approve', {}, colleague), 409, 'STATE_CONFLICT', /key .* was revoked since/);
    expect((await get(ofLeaked)).state).toBe('OPEN');
    await done(ofLeaked, 'reject', { note: 'proposed by a key that leaked' });
    const old = contentOf(await t.post('/v1/key', { name: 'replaced' }, psp.apiKey));
    const ofOld = await proposed(old.apiKey);
    contentOf(await t.post(`/v1/key/${old.keyId}/rotate`, { graceHours: 0 }, psp.apiKey));
    expect((await done(ofOld, 'approve', {}, colleague)).state).toBe('CLOSED');
  });

  it('is linked to records and cases of the same PSP', async () => {
    const { client, caseId } = await withCase();
    const { transactionId } = await sale(client);
    const other = await withCase();
    await done(caseId, 'link', { to: transactionId });
    await done(caseId, 'link', { to: other.caseId, note: 'the same owner' });
    await done(caseId, 'link', { to: transactionId });
    expect((await get(caseId)).items.map((i: Shown) => [i.kind, i.about, i.text])).toEqual([
      ['LINK', transactionId, null],
      ['LINK', other.caseId, 'the same owner'],
    ]);
    // A link between two cases is seen from both, once.
    expect((await get(other.caseId)).items.map((i: Shown) => [i.kind, i.about, i.text])).toEqual([
      ['LINK', caseId, 'the same owner'],
    ]);
    const back = await send(other.caseId, 'link', { to: caseId });
    expect([back.body.message, back.headers.get('idempotency-replayed')]).toEqual(['linked before', 'true']);
    const stranger = await t.makePsp();
    const foreign = (await sale(await t.makeClient(stranger))).transactionId;
    for (const to of [foreign, caseId, 'txn_x', toWire('case', t.app.services.ids.next())])
      expectRefusal(await send(caseId, 'link', { to }), 404, 'NOT_FOUND');
  });

  it('forgets what was written once its person is erased', async () => {
    const client = await t.makeClient(psp);
    const email = 'gone@example.com';
    const deposit = { ref: `d${++n}`, totalAmount: 10, currency: 'NGN', countryCode: 'NG', transactionFee: 0 };
    const customer = { customer: { email }, paymentMethods: { card: 10 } };
    contentOf(await t.post('/v1/payment/deposit', { ...deposit, ...customer }, client.apiKey));
    await alert(client, { person: t.app.services.subjects.identify(psp.uuid, email).subject });
    const [{ caseId }] = await casesOf(client);
    await done(caseId, 'note', { note: 'Gone Girl called' });
    await done(caseId, 'file', {
      name: 'call.txt',
      type: 'text/plain',
      content: Buffer.from('hello').toString('base64'),
    });
    await done(caseId, 'close', { outcome: 'CONFIRMED', note: 'she did it' });
    const erase = () =>
      t.post('/v1/subject/erase', { subjects: [`email:${email}`], reason: 'asked for it' }, psp.apiKey);
    // AMLD article 40(1) and AMLR article 77: five years.
    const until = new Date(t.now() + 5 * 365.25 * 86_400_000).toISOString().slice(0, 10);
    expectRefusal(await erase(), 409, 'STATE_CONFLICT', new RegExp(`until ${until} for the case ${caseId}`));
    const found = await t.post('/v1/subject/find', { subjects: [`email:${email}`] }, psp.apiKey);
    expect(contentOf(found).heldBy).toEqual({ id: caseId, kind: 'CASE', until });
    const longAgo = new Date(t.now() - (5 * 365.25 + 2) * 86_400_000).toISOString();
    await t.database.admin.query('UPDATE cases SET closed_at = $2 WHERE account_id = $1', [client.uuid, longAgo]);
    contentOf(await erase());
    const { items } = await get(caseId);
    expect(items.map((i: Shown) => i.text)).toEqual(['erased', 'erased', 'erased']);
    expectRefusal(await t.get(`/v1/case/${caseId}/file/${items[1].itemId}`, psp.apiKey), 404, 'NOT_FOUND');
  });
});

describe('what was confirmed once', () => {
  it.each([
    ['a case that was reopened and cleared', 'case'],
    ['an alert of a case that was cleared', 'alert'],
  ])('keeps the person for five years: %s', async (_, what) => {
    const client = await t.makeClient(psp);
    const email = `${what}-confirmed@example.com`;
    const { subject } = t.app.services.subjects.identify(psp.uuid, email);
    const deposit = { ref: `d${++n}`, totalAmount: 10, currency: 'NGN', countryCode: 'NG', transactionFee: 0 };
    contentOf(await t.post('/v1/payment/deposit', { ...deposit, customer: { email } }, client.apiKey));
    await alert(client, { person: subject });
    const [{ caseId }] = await casesOf(client);
    if (what === 'case') {
      await done(caseId, 'close', { outcome: 'CONFIRMED', note: 'it was so' });
      await done(caseId, 'reopen', { note: 'was it' });
    } else {
      const [{ reviewId }] = (await get(caseId)).reviews;
      const asked = { outcome: 'CONFIRMED', note: 'it was so' };
      contentOf(await t.post(`/v1/review/${reviewId}/resolve`, asked, psp.apiKey));
    }
    await done(caseId, 'close', { outcome: 'CLEARED', note: 'nothing was wrong' });
    const erase = () => t.post('/v1/subject/erase', { subjects: [`email:${email}`], reason: 'asked' }, psp.apiKey);
    expectRefusal(await erase(), 409, 'STATE_CONFLICT', new RegExp(`for the case ${caseId}, in which something was`));
    const longAgo = new Date(t.now() - (5 * 365.25 + 2) * 86_400_000).toISOString();
    await t.database.admin.query('UPDATE cases SET closed_at = $2 WHERE account_id = $1', [client.uuid, longAgo]);
    contentOf(await erase());
  });
});

describe('from a case', () => {
  it('an operator holds, has two release, and suspends the client; the account says from which case', async () => {
    const { client, caseId } = await withCase();
    const other = (await t.makeOperator()).apiKey;
    const placing = { action: 'HOLD', reason: 'name match' };
    await done(caseId, 'action', placing, operator.apiKey);
    expect((await send(caseId, 'action', placing, operator.apiKey)).body.message).toBe('it is so already');
    await done(caseId, 'action', placing, other);
    expect(await sale(client)).toMatchObject({ status: 'DECLINED' });
    const [{ holdId }, beside, ...more] = (await get(caseId, operator.apiKey)).items;
    expect(more).toEqual([]);
    const release = { action: 'RELEASE', reason: 'a namesake', holdId };
    expect((await done(caseId, 'action', release, operator.apiKey)).proposed).toMatchObject({
      action: 'RELEASE',
      holdId,
    });
    expect(await sale(client)).toMatchObject({ status: 'DECLINED' });
    expectRefusal(await send(caseId, 'approve', {}, operator.apiKey), 409, 'STATE_CONFLICT');
    expectRefusal(await send(caseId, 'approve', {}), 403, 'AUDIENCE');
    const approved = await send(caseId, 'approve', {}, other);
    expect(approved.body.message).toBe(`hold ended; the account is still on hold: ${beside.holdId}`);
    expect(await sale(client)).toMatchObject({ status: 'DECLINED' });
    const end = `/v1/admin/account/${client.id}/hold/${beside.holdId}/release`;
    expect((await t.post(end, { reason: 'a namesake' }, other)).body.message).toBe('hold ended');
    expect(await sale(client)).toMatchObject({ status: 'APPROVED' });
    await done(caseId, 'action', { action: 'SUSPEND', reason: 'licence gone' }, operator.apiKey);
    expect(await sale(client)).toMatchObject({ status: 'DECLINED' });
    const entries = await told(t, client.id);
    expect(entries.flatMap((e) => e.body.evidence?.caseId ?? [])).toEqual([caseId, caseId, caseId, caseId]);
    for (const action of ['HOLD', 'SUSPEND', 'RELEASE'])
      expectRefusal(await send(caseId, 'action', { action, reason: 'x', holdId }), 403, 'AUDIENCE');
  });

  it('its PSP declines and charges back, once, and the transaction says nothing of the case', async () => {
    const { client, caseId } = await withCase();
    const [declined, charged] = [await sale(client), await sale(client)];
    for (const key of [psp.apiKey, operator.apiKey])
      await done(caseId, 'action', { action: 'DECLINE', reason: 'stolen', transactionId: declined.transactionId }, key);
    await done(caseId, 'action', { action: 'CHARGE_BACK', reason: 'stolen', transactionId: charged.transactionId });
    const status = async (id: string) => contentOf(await t.get(`/v1/transaction/${id}`, client.apiKey));
    expect((await status(declined.transactionId)).status).toBe('DECLINED');
    expect((await status(charged.transactionId)).chargeback).not.toBeNull();
    const entries = [...(await told(t, declined.transactionId)), ...(await told(t, charged.transactionId))];
    expect(entries.map((e) => e.text).join()).not.toContain('cas_');
    const foreign = await sale(await t.makeClient(psp));
    for (const transactionId of [foreign.transactionId, 'txn_x'])
      expectRefusal(await send(caseId, 'action', { action: 'DECLINE', reason: 'x', transactionId }), 404, 'NOT_FOUND');
    expectRefusal(await send(caseId, 'action', { action: 'DECLINE', reason: 'x' }), 400, 'FIELD_INVALID');
  });

  it.each(['DECLINE', 'CHARGE_BACK'])(
    'fifty at once %s a transaction once, and the case says so once',
    async (action) => {
      const { client, caseId } = await withCase();
      const { transactionId } = await sale(client);
      const all = await Promise.all(
        Array.from({ length: 50 }, () => done(caseId, 'action', { action, reason: 'stolen', transactionId })),
      );
      expect(all).toHaveLength(50);
      const { items } = await get(caseId);
      expect(items.filter((i: Shown) => i.kind === 'ACTION')).toMatchObject([{ about: transactionId, action }]);
      const entries = await told(t, transactionId);
      expect(entries.filter((e) => e.kind === 'transaction.updated')).toHaveLength(1);
    },
  );

  it('nothing is done once it is closed', async () => {
    const { client, caseId } = await withCase();
    const { transactionId } = await sale(client);
    await done(caseId, 'close', { outcome: 'CLEARED', note: 'fine' });
    for (const [body, key] of [
      [{ action: 'HOLD', reason: 'late' }, operator.apiKey],
      [{ action: 'DECLINE', reason: 'late', transactionId }, psp.apiKey],
    ] as const)
      expectRefusal(await send(caseId, 'action', body, key), 409, 'STATE_CONFLICT');
    expect(await sale(client)).toMatchObject({ status: 'APPROVED' });
  });
});

describe('a suspicious transaction report', () => {
  const asked = (over: object) => ({
    ...{ reportingEntity: '1234', currency: 'NGN', reportedBy: { firstName: 'Ngozi', lastName: 'Eze' } },
    ...{ reason: 'below the threshold & paid out', action: 'held', indicators: ['STRUCTURING'], ...over },
  });

  it('keeps its client from being erased, though the case was cleared', async () => {
    const { client, caseId } = await withCase();
    const { transactionId } = await sale(client);
    await done(caseId, 'str', asked({ transactionIds: [transactionId] }));
    await done(caseId, 'close', { outcome: 'CLEARED', note: 'as the intelligence unit says' });
    const erased = await t.post(
      '/v1/subject/erase',
      { subjects: [`client:${client.id}`], reason: 'asked' },
      psp.apiKey,
    );
    expectRefusal(erased, 409, 'STATE_CONFLICT', new RegExp(`for the case ${caseId}`));
  });

  it('is goAML XML of the client, its transactions and their customers, numbered, sealed and marked as sent', async () => {
    const { client, caseId } = await withCase();
    const deposit = { ref: `d${++n}`, totalAmount: 10.5, currency: 'NGN', countryCode: 'NG', transactionFee: 0 };
    const customer = { email: 'bola@example.com', name: 'Bola Ade Okoro', phoneNumber: '08030000001' };
    const director = { name: 'Yury Shevchuk', sharePercent: '0', dateOfBirth: '1961-04-02', director: true };
    contentOf(await t.post(`/v1/client/${client.id}/owners`, { owners: [director] }, client.apiKey));
    const paid = await t.post(
      '/v1/payment/deposit',
      { ...deposit, customer, paymentMethods: { card: 10.5 } },
      client.apiKey,
    );
    const { transactionId } = contentOf(paid);
    const usd = await sale(client, { currency: 'USD' });
    const ids = { transactionIds: [transactionId, usd.transactionId] };
    expectRefusal(await send(caseId, 'str', asked(ids)), 400, 'FIELD_INVALID', /how many NGN one USD was/);
    const usdAt = (rate: string) => ({ currency: 'USD', rate });
    for (const [rates, fault] of [
      [[usdAt('0.000')], /one USD was 0 NGN$/],
      [[usdAt('1650.333'), usdAt('1700')], /names USD twice$/],
      [[usdAt('1650.333'), { currency: 'NGN', rate: '2' }], /names NGN, in which the report is$/],
    ] as const)
      expectRefusal(await send(caseId, 'str', asked({ ...ids, rates })), 400, 'FIELD_INVALID', fault);
    await done(caseId, 'str', asked({ ...ids, rates: [usdAt('1650.333')] }));
    const [file] = (await get(caseId)).items;
    const { number } = await get(caseId);
    expect(file).toMatchObject({ kind: 'FILE', step: 'str', type: 'application/xml', text: `str-${number}-1.xml` });
    const { text } = await t.get(`/v1/case/${caseId}/file/${file.itemId}`, psp.apiKey);
    expect(createHash('sha256').update(text).digest('hex')).toBe(file.sha256);
    const shown = readGoaml(text);
    expect(goamlFaults(shown)).toEqual([]);
    const namesIn = (e: Element | undefined) => e?.children.map((c) => c.name);
    const [deposited, sold] = within(shown, 'transaction');
    // A deposit of a known customer: it paid the client. A sale to somebody unknown: the client alone took part.
    expect(namesIn(deposited)?.slice(-2)).toEqual(['t_from', 't_to_my_client']);
    expect(namesIn(sold)?.slice(-2)).toEqual(['involved_parties', 'comments']);
    expect(text).toContain('<transmode_code>-</transmode_code><transmode_comment>Deposit</transmode_comment>');
    expect(text).toMatch(/<foreign_currency_code>USD<.*<foreign_exchange_rate>1650.333</);
    expect(text).toMatch(/<director_id><first_name>Yury<.*<last_name>Shevchuk<.*<birthdate>1961-04-02T00:00:00</);
    expect(text).toContain('<tph_country_prefix>234</tph_country_prefix><tph_number>8030000001</tph_number>');
    expect(text).toContain('<first_name>Bola Ade</first_name><last_name>Okoro</last_name>');
    expect(text).toContain('<amount_local>10.50</amount_local>');
    expect(text).toContain('<amount_local>165033.30</amount_local>');
    expect(text).toContain('below the threshold &amp; paid out');
    const sentOn = new Date(t.now()).toISOString().slice(0, 10);
    await done(caseId, `str/${file.itemId}/sent`, { sentOn, reference: 'NFIU-118' });
    expectRefusal(
      await send(caseId, `str/${file.itemId}/sent`, { sentOn, reference: 'NFIU-118' }),
      409,
      'STATE_CONFLICT',
    );
    expect((await get(caseId)).items[1]).toMatchObject({
      action: 'STR_SENT',
      sentOn,
      about: file.itemId,
    });
    const codes = { transmode: 'MMT', funds: 'K' };
    await done(caseId, 'str', asked({ transactionIds: [transactionId], codes }));
    const [, , next] = (await get(caseId)).items;
    expect(next.text).toBe(`str-${number}-2.xml`);
    // The codes of the intelligence unit's own lists, where they are given.
    const coded = (await t.get(`/v1/case/${caseId}/file/${next.itemId}`, psp.apiKey)).text;
    expect(coded).toContain('<transmode_code>MMT</transmode_code>');
    expect(coded.match(/_funds_code>K</g)).toHaveLength(2);
    // A report of activity names who took part, each once, and no transactions.
    await done(caseId, 'str', asked({ transactionIds: [transactionId], code: 'SAR' }));
    const sar = (await get(caseId)).items.findLast((i: { kind: string }) => i.kind === 'FILE');
    const of = (await t.get(`/v1/case/${caseId}/file/${sar.itemId}`, psp.apiKey)).text;
    expect(goamlFaults(readGoaml(of))).toEqual([]);
    expect(of.match(/<report_party>/g)).toHaveLength(2);
    expect(of).toContain('<person><first_name>Bola Ade</first_name>');
    expect(of).toContain(`among them ${transactionId}`);
    const foreign = (await sale(await t.makeClient(psp))).transactionId;
    expectRefusal(await send(caseId, 'str', asked({ transactionIds: [foreign] })), 404, 'NOT_FOUND');
    // Of a client without a transaction only its activity can be reported.
    expectRefusal(await send(caseId, 'str', asked({ transactionIds: [] })), 400, 'FIELD_INVALID', /is a SAR/);
    const clientAddress = { address: '1 Marina', city: 'Lagos' };
    await done(caseId, 'str', asked({ transactionIds: [], code: 'SAR', clientAddress }));
    const bare = (await get(caseId)).items.findLast((i: { kind: string }) => i.kind === 'FILE');
    const written = (await t.get(`/v1/case/${caseId}/file/${bare.itemId}`, psp.apiKey)).text;
    expect(goamlFaults(readGoaml(written))).toEqual([]);
    expect(written).toContain('<address>1 Marina</address><city>Lagos</city>');
  });
});

describe('who may', () => {
  it('a PSP works on its own cases, an operator on all, a client on none', async () => {
    const { client, caseId } = await withCase();
    const stranger = await t.makePsp();
    expect(await list('', stranger.apiKey)).toEqual([]);
    expectRefusal(await t.get(`/v1/case/${caseId}`, stranger.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await send(caseId, 'note', { note: 'x' }, stranger.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await t.get('/v1/case', client.apiKey), 403, 'AUDIENCE');
    expectRefusal(await t.get(`/v1/case/${caseId}`, client.apiKey), 403, 'AUDIENCE');
    expectRefusal(await send(caseId, 'note', { note: 'x' }, client.apiKey), 403, 'AUDIENCE');
    expectRefusal(await t.get('/v1/case'), 401, 'KEY_MISSING');
    expect((await list('?limit=200', operator.apiKey)).map((c) => c.caseId)).toContain(caseId);
    await done(caseId, 'note', { note: 'seen' }, operator.apiKey);
    const other = await t.makeClient(psp);
    expectRefusal(await t.get(`/v1/case/${caseId}`, psp.apiKey, { 'x-client-id': other.id }), 404, 'NOT_FOUND');
  });

  it('filters as it says', async () => {
    const { client, caseId } = await withCase('LOW');
    await done(caseId, 'assign', {});
    const found = async (query: string) => (await list(`?clientId=${client.id}&${query}`)).length;
    expect(await found('assignee=me')).toBe(1);
    expect(await found('assignee=none')).toBe(0);
    expect(await found('severity=LOW&state=ACTIVE&queue=default')).toBe(1);
    expect(await found('severity=HIGH')).toBe(0);
    expect(await found('state=OPEN')).toBe(0);
    expect(await found('outcome=CLEARED')).toBe(0);
    for (const q of ['state=GONE', 'cursor=x', 'severity=SOME'])
      expectRefusal(await t.get(`/v1/case?${q}`, psp.apiKey), 400, 'QUERY_INVALID');
  });
});

describe('the journal', () => {
  it('tells of every case what was done', async () => {
    await expectJournalComplete(t);
    const steps = new Map<string | null, number>();
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Shown = contentOf(await t.get(`/v1/journal?kind=case.updated&limit=200${cursor}`, psp.apiKey));
      for (const { step } of page.items) steps.set(step, (steps.get(step) ?? 0) + 1);
      cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : null;
    }
    // By the evidence of each entry, as the database has it.
    const stored = await t.database.admin.query<{ n: number; unassigned: number; proposed: number; acts: number }>(
      `SELECT count(*)::int AS n,
         count(*) FILTER (WHERE e->>'step' = 'assign' AND b->'data'->>'assignee' IS NULL)::int AS unassigned,
         count(*) FILTER (WHERE e->>'step' = 'close' AND b->'data'->>'state' <> 'CLOSED')::int AS proposed,
         count(*) FILTER (WHERE e->>'step' = 'act')::int AS acts
       FROM (SELECT body::jsonb AS b, body::jsonb->'evidence' AS e FROM journal
         WHERE kind = 'case.updated' AND psp_id = $1) j`,
      [psp.uuid],
    );
    const of = (...names: string[]) => names.reduce((sum, name) => sum + (steps.get(name) ?? 0), 0);
    expect(steps.has(null)).toBe(false);
    expect([
      of(...([...steps.keys()] as string[])),
      of('CASE_UNASSIGNED'),
      of('CASE_CLOSE_PROPOSED'),
      of(
        'CASE_CLIENT_HELD',
        'CASE_WALLET_HELD',
        'CASE_CLIENT_SUSPENDED',
        'CASE_TRANSACTION_DECLINED',
        'CASE_CHARGED_BACK',
      ),
    ]).toEqual(Object.values(stored[0] as object));
    expect([...steps.values()].length).toBeGreaterThan(12);
  });
});

describe('with cases in REQUIRE_TWO_PERSONS', () => {
  it('a hold from a case is ended by nobody alone, and one that was placed by hand still is', async () => {
    const two = await makeTestApp({ env: { REQUIRE_TWO_PERSONS: 'cases' } });
    try {
      const [owner, staff] = [await two.makePsp(), (await two.makeOperator()).apiKey];
      const client = await two.makeClient(owner);
      const order = { ref: 'large-1', currency: 'NGN', countryCode: 'NG', transactionFee: 0, ...large };
      contentOf(await two.post('/v1/transaction/verifyTransaction', order, client.apiKey));
      await readersAtEnd(two, ['reviews', 'cases']);
      const [{ caseId }] = contentOf(await two.get(`/v1/case?clientId=${client.id}`, owner.apiKey)).items;
      contentOf(await two.post(`/v1/case/${caseId}/action`, { action: 'HOLD', reason: 'name match' }, staff));
      const account = `/v1/admin/account/${client.id}`;
      const placed = await two.post(`${account}/hold`, { code: 'BY_HAND', reason: 'papers are missing' }, staff);
      const [fromCase, byHand] = contentOf(placed).flags;
      const end = (hold: Shown) => two.post(`${account}/hold/${hold.id}/release`, { reason: 'alone' }, staff);
      expectRefusal(await end(fromCase), 403, 'TWO_PERSONS', /placed from a case/);
      expect((await end(byHand)).body.message).toBe(`hold ended; the account is still on hold: ${fromCase.id}`);
    } finally {
      await two.stop();
    }
  });
});
