// What clients have to show: documents, owners and licences, who may add and read them, what follows for the level and
// the standing, on the exact day, and that nothing personal of it is readable anywhere.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, localDate } from '../../src/core/calendar.ts';
import { warnOfDocuments, warnOfLicences } from '../../src/modules/verification/index.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, setStanding } from '../support/guarantees.ts';
import { expectJournalComplete, readersAtEnd, told } from '../support/journal.ts';
import { enter, type SignedIn } from '../support/people.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;

let t: TestApp;
let staff: Account;
let ada: SignedIn;
let bola: SignedIn;
let psp: Account;
let client: Account;
let n = 0;

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-11-10T12:00:00Z', env: { REQUIRE_TWO_PERSONS: 'levels' } });
  staff = await t.makeOperator();
});
beforeEach(async () => {
  ada = await enter(t, staff, 'administrator');
  bola = await enter(t, staff, 'reviewer');
  psp = await t.makePsp();
  client = await t.makeClient(psp, { classification: 'IGAMING_GLOBAL', countryCode: 'MT' });
});
afterAll(() => t?.stop());

const at = (rest: string, of = client) => `/v1/client/${of.id}/${rest}`;
const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from('Grace Hopper')]);
const paper = (over: object = {}) => ({
  kind: 'PROOF_OF_ADDRESS',
  contentType: 'image/png',
  content: Buffer.concat([png, Buffer.from(String(++n))]).toString('base64'),
  name: 'Grace Hopper 7 Lake Road.png',
  ...over,
});
const add = async (over: object = {}, key = client.apiKey): Promise<Shown> =>
  contentOf(await t.post(at('document'), paper(over), key));
const accept = async (d: Shown, more: object = {}) =>
  contentOf(await bola.post(at(`document/${d.documentId}/accept`), more));
const licence = (over: object = {}) => ({
  activity: 'GAMING',
  authority: 'MGA',
  number: `MGA/B2C/${++n}`,
  countryCode: 'MT',
  validUntil: '2027-03-31',
  ...over,
});
async function licensed(over: object = {}): Promise<Shown> {
  const given = licence(over);
  const { licences } = contentOf(await t.post(at('licence'), given, client.apiKey));
  const found = licences.find((l: Shown) => l.number === given.number);
  return contentOf(await t.post(at(`licence/${found.licenceId}/accept`), {}, staff.apiKey)).licences.find(
    (l: Shown) => l.licenceId === found.licenceId,
  );
}
const owners = {
  owners: [{ name: 'Grace Hopper', sharePercent: '60.5', dateOfBirth: '1906-12-09', countryCode: 'USA' }],
};
const status = async (): Promise<Shown> => contentOf(await t.get('/v1/client/verifyClientStatus', client.apiKey));
const stateOf = async (id: string) =>
  (await status()).requirements.items.find((r: Shown) => r.requirementId === id)?.state;
const sell = async (): Promise<Shown> => {
  const customer = { email: 'player@example.com' };
  const body = { ref: `d-${++n}`, totalAmount: 100, currency: 'EUR', countryCode: 'MT', transactionFee: 1, customer };
  return contentOf(await t.post('/v1/payment/deposit?expand=decision', body, client.apiKey));
};
/** The test's clock is moved to a moment, and the job runs. */
async function watchAt(moment: string): Promise<void> {
  t.setClock(Date.parse(moment) - t.now());
  await warnOfLicences(t.app.services);
}
/** Sets the owners. @returns their marks */
const ownersAre = async (body: object): Promise<string[]> =>
  contentOf(await t.post(at('owners'), body, psp.apiKey)).owners.map((o: Shown) => o.ownerId);
async function meetAll(): Promise<void> {
  for (const kind of ['CERTIFICATE_OF_INCORPORATION', 'PROOF_OF_ADDRESS', 'BANK_ACCOUNT'])
    await accept(await add({ kind }));
  for (const owner of await ownersAre(owners)) await accept(await add({ kind: 'OWNER_IDENTITY', owner }));
  await licensed({ validUntil: undefined });
}

describe('requirements', () => {
  it('are shown to the client with what is due until when, beside what the status always said', async () => {
    const shown = await status();
    expect(shown.requirements.currentlyDue).toEqual([]);
    expect(shown.requirements.items.find((r: Shown) => r.requirementId === 'MT-GAMING-MGA-2018')).toMatchObject({
      ...{ level: 'ENHANCED', need: 'LICENCE', activity: 'GAMING', authorities: ['MGA'], state: 'DUE' },
      ...{ what: 'a licence for gaming of Malta Gaming Authority', dueBy: '2026-12-10', validUntil: null },
    });
    expect(await stateOf('ALL-TAX-NUMBER')).toBe('HELD');
    const inFull = contentOf(await t.get(`/v1/client/${client.id}?expand=requirements`, psp.apiKey));
    expect(inFull.requirements).toEqual(shown.requirements.items);
  });

  it('are met by what is shown and accepted', async () => {
    expect(await stateOf('ALL-ADDRESS')).toBe('DUE');
    const d = await add();
    expect(await stateOf('ALL-ADDRESS')).toBe('SUBMITTED');
    await accept(d, { validUntil: '2026-12-31' });
    expect(await stateOf('ALL-ADDRESS')).toBe('HELD');
    contentOf(await t.post(at('owners'), owners, client.apiKey));
    expect(await stateOf('ALL-OWNERS')).toBe('HELD');
  });

  it('are met by the identity of each owner, not by one for all, and say who is missing', async () => {
    const person = (name: string, sharePercent: string) => ({ name, sharePercent, dateOfBirth: '1906-12-09' });
    const three = [person('Grace Hopper', '40'), person('Ada Lovelace', '35'), person('Mary Keller', '25')];
    const [grace, ada2, mary] = (await ownersAre({ owners: three })) as [string, string, string];
    const due = async () =>
      (await status()).requirements.items.find((r: Shown) => r.requirementId === 'ALL-OWNER-IDENTITY');
    expect(await due()).toMatchObject({ state: 'DUE', missingOwners: [grace, ada2, mary] });
    const passport = paper({ kind: 'OWNER_IDENTITY' });
    const shows = async (owner: string | undefined) => {
      const d = contentOf(await t.post(at('document'), { ...passport, owner }, client.apiKey));
      expect(d.owner).toBe(owner ?? null);
      return accept(d, { validUntil: '2027-12-31' });
    };
    const first = await shows(grace);
    await shows(undefined);
    expect(await due()).toMatchObject({ state: 'DUE', missingOwners: [ada2, mary] });
    const level = { clientId: client.id, verificationLevel: 'ENHANCED' };
    const proposed = await ada.post('/v1/admin/proposal', { reason: 'all was shown', level });
    expectRefusal(proposed, 409, 'STATE_CONFLICT', /owner identity \(owners without one: 2\)/);
    // The same scan may show two people, and is one document of each.
    expect((await shows(ada2)).documentId).not.toBe(first.documentId);
    expect((await shows(grace)).documentId).toBe(first.documentId);
    await shows(mary);
    expect(await due()).toMatchObject({ state: 'HELD', missingOwners: [], validUntil: '2027-12-31' });
    // Whoever is named again is the same person; whoever takes the place of one is not.
    expect(await ownersAre({ owners: [person(' grace HOPPER', '50'), person('Jean Bartik', '50')] })).toEqual([
      grace,
      expect.not.stringMatching(`${grace}|${ada2}|${mary}`),
    ]);
    expect(await due()).toMatchObject({ state: 'DUE', missingOwners: [expect.any(String)] });
    await ownersAre({ owners: three });
    expect(await due()).toMatchObject({ state: 'HELD' });
    const add2 = (over: object) => t.post(at('document'), paper(over), client.apiKey);
    expectRefusal(
      await add2({ kind: 'OWNER_IDENTITY', owner: '0'.repeat(16) }),
      400,
      'FIELD_INVALID',
      /names no owner/,
    );
    expectRefusal(await add2({ owner: grace }), 400, 'FIELD_INVALID', /for the kind 'OWNER_IDENTITY'/);
    // The same person is another mark elsewhere: nobody follows somebody from client to client by it.
    const other = await t.makeClient(psp);
    const there = contentOf(await t.post(`/v1/client/${other.id}/owners`, { owners: three }, psp.apiKey));
    expect(there.owners.map((o: Shown) => o.ownerId)).not.toContain(grace);
  });
});

describe('documents', () => {
  it('are given back as they were added, and stand in the journal with their hash', async () => {
    const given = paper();
    const d = contentOf(await t.post(at('document'), given, client.apiKey));
    const bytes = Buffer.from(given.content, 'base64');
    expect(d).toMatchObject({ bytes: bytes.length, state: 'SUBMITTED', decidedBy: null, version: 1 });
    expect(d.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    for (const who of [client.apiKey, psp.apiKey]) {
      const file = await t.get(at(`document/${d.documentId}`), who);
      expect(Buffer.from(file.bytes).equals(bytes)).toBe(true);
      expect(file.headers.get('content-type')).toBe('application/octet-stream');
      expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${d.documentId}.png"`);
    }
    const [entry] = await told(t, d.documentId);
    expect(entry).toMatchObject({ kind: 'document.added', body: { data: { sha256: d.sha256 } } });
    expect(contentOf(await t.get(at('document'), psp.apiKey)).items).toEqual([d]);
  });

  it('of 10 MiB are stored, larger ones refused', async () => {
    const large = Buffer.concat([png, Buffer.alloc((10 << 20) - png.length, 7)]);
    const d = await add({ content: large.toString('base64') });
    const file = await t.get(at(`document/${d.documentId}`), psp.apiKey);
    expect(createHash('sha256').update(file.bytes).digest('hex')).toBe(d.sha256);
    const more = Buffer.concat([large, Buffer.from('x')]).toString('base64');
    expectRefusal(
      await t.post(at('document'), paper({ content: more }), client.apiKey),
      400,
      'FIELD_INVALID',
      /too large|at most/,
    );
  });

  it.each([
    ['what is no base64', { content: 'not base64!' }, /base64/],
    ['another type than it says', { contentType: 'application/pdf' }, /is not application\/pdf/],
    ['a page that a browser would run', { contentType: 'text/html' }, /contentType/],
    ['text with zero bytes', { contentType: 'text/plain', content: 'AAAA' }, /is not text\/plain/],
    ['a day that does not exist', { validUntil: '2027-02-30' }, /a day of the calendar/],
  ])('are refused as %s', async (_, over, says) => {
    expectRefusal(await t.post(at('document'), paper(over), client.apiKey), 400, 'FIELD_INVALID', says);
  });

  it('are added once, and again after they were refused', async () => {
    const given = paper();
    const first = contentOf(await t.post(at('document'), given, client.apiKey));
    const again = await t.post(at('document'), given, client.apiKey);
    expect([contentOf(again).documentId, again.headers.get('idempotency-replayed')]).toEqual([
      first.documentId,
      'true',
    ]);
    contentOf(await bola.post(at(`document/${first.documentId}/refuse`), { reason: 'not legible' }));
    const [, refused] = await told(t, first.documentId);
    expect(refused?.body.data).toMatchObject({ state: 'REFUSED', decisionReason: 'not legible' });
    expectRefusal(await bola.post(at(`document/${first.documentId}/accept`), {}), 409, 'STATE_CONFLICT');
    expect(contentOf(await t.post(at('document'), given, client.apiKey)).documentId).not.toBe(first.documentId);
  });

  it('are decided by staff, and read by nobody else', async () => {
    const d = await add();
    for (const key of [client.apiKey, psp.apiKey])
      expectRefusal(await t.post(at(`document/${d.documentId}/accept`), {}, key), 403, 'AUDIENCE');
    const [otherPsp, sibling] = [await t.makePsp(), await t.makeClient(psp)];
    for (const key of [otherPsp.apiKey, sibling.apiKey])
      for (const path of [at('document'), at(`document/${d.documentId}`), at('owners'), at('licence')])
        expectRefusal(await t.get(path, key), 404, 'NOT_FOUND');
    // A document is found under its own client only.
    expectRefusal(await t.get(at(`document/${d.documentId}`, sibling), psp.apiKey), 404, 'NOT_FOUND');
    const auditor = await enter(t, staff, 'auditor');
    expectRefusal(await auditor.get(at(`document/${d.documentId}`)), 403, 'ROLE');
    expectRefusal(await auditor.get(at('owners')), 403, 'ROLE');
    expectRefusal(await auditor.post(at(`document/${d.documentId}/accept`), {}), 403, 'ROLE');
    expect(contentOf(await auditor.get(at('document'))).items).toHaveLength(1);
  });
});

describe('owners', () => {
  it('are read back by those who may', async () => {
    contentOf(await t.post(at('owners'), owners, psp.apiKey));
    const shown = contentOf(await t.get(at('owners'), client.apiKey));
    expect(shown.owners).toEqual([
      {
        ...{ ownerId: expect.any(String), name: 'Grace Hopper', sharePercent: '60.5' },
        ...{ dateOfBirth: '1906-12-09', countryCode: 'US' },
      },
    ]);
    const again = await t.post(at('owners'), owners, client.apiKey);
    expect([contentOf(again).version, again.headers.get('idempotency-replayed')]).toEqual([1, 'true']);
  });

  it.each([
    ['together more than all', [{ sharePercent: '60' }, { sharePercent: '40.0001' }], /more than 100 %/],
    ['with a share of nothing', [{ sharePercent: '0' }], /sharePercent/],
    ['with a share that is no number', [{ sharePercent: 'half' }], /sharePercent/],
    ['born tomorrow', [{ sharePercent: '1', dateOfBirth: '2026-11-11' }], /dateOfBirth/],
  ])('are refused %s', async (_, given, says) => {
    const list = given.map((o) => ({ name: 'A', dateOfBirth: '1980-01-01', ...o }));
    expectRefusal(await t.post(at('owners'), { owners: list }, psp.apiKey), 400, 'FIELD_INVALID', says);
  });
});

describe('what is personal', () => {
  it('is readable nowhere in the database, and not at all once the client is erased', async () => {
    const same = paper();
    const d = await add(same);
    contentOf(await t.post(at('owners'), owners, psp.apiKey));
    for (const table of ['journal', 'client_documents', 'client_document_parts', 'client_verifications', 'accounts']) {
      const rows = await t.database.admin.query(`SELECT r::text AS row FROM ${table} r`);
      const texts = rows.map((r) => r.row as string).join('\n');
      for (const secret of ['Hopper', '1906-12-09', png.toString('base64').slice(0, 12), '7 Lake Road'])
        expect(texts).not.toContain(secret);
    }
    const subjects = { pspId: psp.id, subjects: [`client:${client.id}`], reason: 'asked for' };
    contentOf(await t.post('/v1/subject/erase', subjects, staff.apiKey));
    expectRefusal(await t.get(at(`document/${d.documentId}`), psp.apiKey), 409, 'STATE_CONFLICT', /erased/);
    expect(contentOf(await t.get(at('owners'), psp.apiKey)).owners).toEqual([
      { ownerId: expect.any(String), name: null, sharePercent: '60.5', dateOfBirth: null, countryCode: null },
    ]);
    // What is shown after that is sealed under a key of its own.
    contentOf(await t.post(at('owners'), owners, psp.apiKey));
    expect(contentOf(await t.get(at('owners'), psp.apiKey)).owners[0].name).toBe('Grace Hopper');
    const [again, repeated] = [await add(same), await add(same)];
    expect([again.documentId === d.documentId, repeated.documentId]).toEqual([false, again.documentId]);
    expect((await t.get(at(`document/${again.documentId}`), psp.apiKey)).status).toBe(200);
  });
});

describe('a licence', () => {
  it('warns 30, 7 and 0 days before it ends, then holds the client by itself, to the moment in its country', async () => {
    const l = await licensed();
    const warned = async () =>
      (await told(t, client.id))
        .filter((e) => e.kind === 'client.licence_expiring')
        .map((e) => e.body.data.expiringLicence.daysLeft);
    // Malta is an hour ahead of UTC in March, two from the 28th on.
    await watchAt('2027-02-28T22:59:00Z');
    expect(await warned()).toEqual([]);
    await watchAt('2027-02-28T23:00:00Z');
    await watchAt('2027-02-28T23:15:00Z');
    expect(await warned()).toEqual([30]);
    await watchAt('2027-03-23T23:00:00Z');
    expect(await warned()).toEqual([30, 7]);
    await watchAt('2027-03-30T22:00:00Z');
    expect(await warned()).toEqual([30, 7, 0]);
    // The PSP and staff have an alert each time, the client none.
    const alerts = async (): Promise<Shown[]> =>
      contentOf(await t.get(`/v1/review?clientId=${client.id}`, psp.apiKey)).items.filter(
        (r: Shown) => r.rule === 'LICENCE_ENDS',
      );
    await readersAtEnd(t, ['player-alerts']);
    const opened = await alerts();
    expect(opened.map((r) => r.severity)).toEqual(['HIGH', 'MEDIUM', 'LOW']);
    expect(opened[1].reason).toMatch(/MGA\/B2C\/.* ends on 2027-03-31, in 7 days\./);
    expectRefusal(await t.get('/v1/review', client.apiKey), 403, 'AUDIENCE');
    const [event] = (await told(t, client.id)).filter((e) => e.kind === 'client.licence_expiring');
    expect(event?.body).toMatchObject({
      event: 'Client Change',
      data: { clientId: client.id, expiringLicence: { licenceId: l.licenceId } },
    });

    t.setClock(Date.parse('2027-03-31T21:59:59.999Z') - t.now());
    expect((await sell()).status).toBe('APPROVED');
    expect((await status()).flags).toMatchObject([{ code: 'LICENCE_EXPIRED', since: '2027-03-31T22:00:00.000Z' }]);
    t.setClock(1);
    // Nothing has run: the hold was placed when the licence was accepted.
    expect(await sell()).toMatchObject({
      status: 'DECLINED',
      decision: { reason: 'the client is on hold (LICENCE_EXPIRED): its licence has expired' },
    });
    expect(await stateOf('MT-GAMING-MGA-2018')).toBe('EXPIRED');
    await watchAt('2027-03-31T22:00:00Z');
    await watchAt('2027-04-30T22:00:00Z');
    const last = (await told(t, client.id)).at(-1);
    expect(last).toMatchObject({
      kind: 'client.updated',
      body: { data: { acceptable: false }, evidence: { reason: 'a licence has ended' } },
    });

    await licensed({ validUntil: '2028-03-31' });
    expect((await sell()).status).toBe('APPROVED');
    expect((await status()).flags).toMatchObject([{ code: 'LICENCE_EXPIRED', since: '2028-03-31T22:00:00.000Z' }]);
    expect(await warned()).toEqual([30, 7, 0]);
  });

  it('that is refused later holds the client no longer than it was valid, and one without an end never', async () => {
    const l = await licensed({ validUntil: '2029-03-31' });
    contentOf(await bola.post(at(`licence/${l.licenceId}/refuse`), { reason: 'withdrawn by the authority' }));
    expect((await status()).flags).toEqual([]);
    await licensed({ validUntil: undefined });
    expect((await status()).flags).toEqual([]);
  });

  it('is warned of once when several processes run the job at the same time', async () => {
    await licensed({ validUntil: '2029-05-31' });
    t.setClock(Date.parse('2029-05-24T12:00:00Z') - t.now());
    await Promise.all(Array.from({ length: 8 }, () => warnOfLicences(t.app.services)));
    const entries = (await told(t, client.id)).filter((e) => e.kind === 'client.licence_expiring');
    expect(entries.map((e) => e.body.data.expiringLicence.daysLeft)).toEqual([7]);
  });

  it('is not taken when it has ended, and not decided by those who add it', async () => {
    expectRefusal(
      await t.post(at('licence'), licence({ validUntil: '2020-01-01' }), client.apiKey),
      400,
      'FIELD_INVALID',
      /has ended/,
    );
    const { licences } = contentOf(await t.post(at('licence'), licence({ validUntil: '2040-01-01' }), client.apiKey));
    expectRefusal(await t.post(at(`licence/${licences[0].licenceId}/accept`), {}, psp.apiKey), 403, 'AUDIENCE');
  });
});

describe('a document that ends', () => {
  // A session ends in the months that pass.
  const byKey = async (d: Shown, more: object) =>
    contentOf(await t.post(at(`document/${d.documentId}/accept`), more, staff.apiKey));
  const inDays = (days: number) => addDays(localDate('Europe/Malta', t.now()), days);
  const pass = (days = 0) => {
    t.advance(days * 86_400_000);
    return warnOfDocuments(t.app.services);
  };
  const warned = async (): Promise<Shown[]> =>
    (await told(t, client.id)).flatMap((e) => e.body.data.expiringDocument ?? []);
  const alerts = async (): Promise<Shown[]> => {
    await readersAtEnd(t, ['player-alerts']);
    return contentOf(await t.get(`/v1/review?clientId=${client.id}`, psp.apiKey)).items.filter(
      (r: Shown) => r.rule === 'DOCUMENT_ENDS',
    );
  };
  const addressed = async (days: number): Promise<Shown> => byKey(await add(), { validUntil: inDays(days) });
  const address = async () => (await status()).requirements.items.find((r: Shown) => r.requirementId === 'ALL-ADDRESS');

  it('is announced 30, 7 and 0 days before, once each, and then is due while the level stays', async () => {
    await meetAll();
    const p = contentOf(
      await ada.post('/v1/admin/proposal', {
        reason: 'all was shown',
        level: { clientId: client.id, verificationLevel: 'ENHANCED' },
      }),
    );
    contentOf(await bola.post(`/v1/admin/proposal/${p.proposalId}/approve`, { reason: 'looked at' }));
    const { items } = contentOf(await t.get(at('document?limit=50'), psp.apiKey));
    const former = items.find((i: Shown) => i.kind === 'PROOF_OF_ADDRESS');
    contentOf(await bola.post(at(`document/${former.documentId}/refuse`), { reason: 'of another address' }));
    const d = await addressed(31);
    const last = d.validUntil;
    await pass();
    expect(await warned()).toEqual([]);
    await pass(1);
    await Promise.all(Array.from({ length: 8 }, () => pass()));
    expect(await warned()).toEqual([
      { documentId: d.documentId, kind: 'PROOF_OF_ADDRESS', validUntil: last, daysLeft: 30 },
    ]);
    await pass(22);
    await pass(1);
    await pass();
    expect((await warned()).map((w) => w.daysLeft)).toEqual([30, 7]);
    expect(await address()).toMatchObject({ state: 'HELD', validUntil: last, dueBy: null });
    await pass(7);
    expect((await warned()).map((w) => w.daysLeft)).toEqual([30, 7, 0]);
    const opened = await alerts();
    expect(opened.map((r) => r.severity)).toEqual(['HIGH', 'MEDIUM', 'LOW']);
    expect(opened[1].reason).toBe(
      `The document ${d.documentId} of the client (proof of address) ends on ${last}, in 7 days. Unless another one is accepted, it is due again from the next day on; the level of the client stays as it is.`,
    );
    // The event is one that its client gets; of the alert it learns nothing.
    const [event] = (await told(t, client.id)).filter((e) => e.body.data.expiringDocument);
    expect(event).toMatchObject({ kind: 'client.updated', body: { event: 'Client Change', actor: { by: 'system' } } });
    expectRefusal(await t.get('/v1/review', client.apiKey), 403, 'AUDIENCE');

    expect((await address()).state).toBe('HELD');
    await pass(1);
    expect(await address()).toMatchObject({ state: 'EXPIRED', dueBy: last, validUntil: last });
    expect(await status()).toMatchObject({ verificationLevel: 'ENHANCED', acceptable: true, flags: [] });
    const renewed = await add();
    expect(await address()).toMatchObject({ state: 'SUBMITTED', dueBy: last });
    await byKey(renewed, { validUntil: inDays(300) });
    expect(await address()).toMatchObject({ state: 'HELD', validUntil: inDays(300) });
    await pass(1);
    expect(await warned()).toHaveLength(3);
  });

  it('is not announced once another one counts longer, nor where none is required', async () => {
    await addressed(10);
    await byKey(await add({ kind: 'OTHER' }), { validUntil: inDays(10) });
    await addressed(400);
    await pass(3);
    expect(await warned()).toEqual([]);
    expect(await alerts()).toEqual([]);
  });

  it('and was not announced while nothing ran is announced afterwards, and not after it ended long ago', async () => {
    const d = await addressed(3);
    await pass(5);
    expect(await warned()).toMatchObject([{ documentId: d.documentId, daysLeft: -2 }]);
    expect(await alerts()).toMatchObject([{ severity: 'HIGH', reason: expect.stringContaining('ended on') }]);
    await pass(1);
    expect(await warned()).toHaveLength(1);
    await addressed(3);
    await pass(40);
    expect(await warned()).toHaveLength(1);
  });

  it('is announced for each owner whose identity it shows', async () => {
    const both = [...owners.owners, { name: 'Mary Keller', sharePercent: '30', dateOfBirth: '1913-12-17' }];
    const [first, second] = await ownersAre({ owners: both });
    for (const [owner, days] of [
      [first, 6],
      [second, 200],
    ] as const)
      await byKey(await add({ kind: 'OWNER_IDENTITY', owner }), { validUntil: inDays(days) });
    await pass();
    expect((await warned()).map((w) => w.daysLeft)).toEqual([6]);
    await byKey(await add({ kind: 'OWNER_IDENTITY', owner: first }), { validUntil: inDays(300) });
    await pass(6);
    expect(await warned()).toHaveLength(1);
  });
});

describe('a verification level', () => {
  const level = () => ({ clientId: client.id, verificationLevel: 'ENHANCED' });
  const propose = (who: SignedIn) => who.post('/v1/admin/proposal', { reason: 'all was shown', level: level() });

  it('is raised when its requirements are met and a second person approves', async () => {
    expectRefusal(await propose(ada), 409, 'STATE_CONFLICT', /still asks for .*proof of address/);
    await meetAll();
    const p = contentOf(await propose(ada));
    expect(p).toMatchObject({ kind: 'LEVEL', subject: client.id, state: 'OPEN' });
    expect((await status()).verificationLevel).toBe('BASIC');
    expectRefusal(
      await ada.post(`/v1/admin/proposal/${p.proposalId}/approve`, {}),
      409,
      'STATE_CONFLICT',
      /another person/,
    );
    contentOf(await bola.post(`/v1/admin/proposal/${p.proposalId}/approve`, { reason: 'looked at' }));
    expect((await status()).verificationLevel).toBe('ENHANCED');
    const last = (await told(t, client.id)).at(-1);
    expect(last?.body).toMatchObject({
      data: { verificationLevel: 'ENHANCED' },
      evidence: { changed: ['verificationLevel'] },
    });
  });

  it('is not raised when what was shown is refused before the approval', async () => {
    await meetAll();
    const p = contentOf(await propose(ada));
    const { items } = contentOf(await t.get(at('document'), psp.apiKey));
    contentOf(await bola.post(at(`document/${items[0].documentId}/refuse`), { reason: 'forged' }));
    expectRefusal(
      await bola.post(`/v1/admin/proposal/${p.proposalId}/approve`, {}),
      409,
      'STATE_CONFLICT',
      /still asks for/,
    );
    expect((await status()).verificationLevel).toBe('BASIC');
    expect(contentOf(await ada.get(`/v1/admin/proposal/${p.proposalId}`)).state).toBe('OPEN');
  });

  it('is raised by no one person, with a key or signed in, and lowered by one at once', async () => {
    const set = (verificationLevel: string) => ({ verificationLevel, reason: 'alone' });
    for (const who of [ada, { post: (path: string, body: unknown) => t.post(path, body, staff.apiKey) }])
      expectRefusal(await who.post(`/v1/admin/account/${client.id}/standing`, set('ENHANCED')), 403, 'TWO_PERSONS');
    await setStanding(t, client, { verificationLevel: 'UNVERIFIED' });
    expect((await status()).verificationLevel).toBe('UNVERIFIED');
    expectRefusal(await ada.post(`/v1/admin/account/${client.id}/standing`, set('BASIC')), 403, 'TWO_PERSONS');
    expectRefusal(
      await t.post('/v1/admin/proposal', { reason: 'by a key', level: level() }, staff.apiKey),
      403,
      'TWO_PERSONS',
    );
  });
});

it('leaves a complete journal', () => expectJournalComplete(t));
