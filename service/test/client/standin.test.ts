// Stand-in answers of the client library: given while the service is cut off under load, and submitted when it is back.
// Nothing is lost, nothing is doubled, nothing is approved that the snapshot or the caller's limits do not allow.

import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  Assay,
  type AssayOptions,
  type Input,
  isRefusal,
  NoReplyError,
  Standin,
  type StandinOptions,
} from '@assay/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { makeFolder } from '../support/folder.ts';
import { contentOf, setStanding } from '../support/guarantees.ts';
import { exampleOf } from './shape.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let line: Line;
let path: string;
let files = 0;
const opened: FileHandle[] = [];
let n = 0;

/** A network between the library and the service that can be cut: open connections break, new ones are refused. */
class Line {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut = false;
  port = 0;

  constructor(target: string) {
    const { hostname, port } = new URL(target);
    this.#server = createServer((from) => {
      if (this.#cut) {
        from.destroy();
        return;
      }
      const to = connect(Number(port), hostname);
      for (const s of [from, to]) {
        this.#sockets.add(s);
        s.on('error', () => undefined);
        s.on('close', () => {
          this.#sockets.delete(s);
          from.destroy();
          to.destroy();
        });
      }
      from.pipe(to);
      to.pipe(from);
    });
  }

  async open(): Promise<this> {
    await new Promise<void>((r) => this.#server.listen(0, '127.0.0.1', r));
    this.port = (this.#server.address() as { port: number }).port;
    return this;
  }

  cut(): void {
    this.#cut = true;
    for (const s of this.#sockets) s.destroy();
  }

  restore(): void {
    this.#cut = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((r) => this.#server.close(r));
  }
}

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
});
beforeEach(async () => {
  client = await t.makeClient(psp);
  line = await new Line(t.address).open();
  path = join(makeFolder('assay-standin-'), `answers-${++files}`);
});
afterEach(async () => {
  await line.close();
  for (const file of opened.splice(0)) await file.close();
});
afterAll(() => t?.stop());

const assay = (over: Pick<AssayOptions, 'apiKey' | 'fetch'> = {}) =>
  new Assay({ baseUrl: `http://127.0.0.1:${line.port}`, apiKey: psp.apiKey, timeoutMs: 20_000, ...over });
const keyOfLog = async () => contentOf(await t.get('/v1/audit/key', psp.apiKey)).key as string;
async function standin(over: Partial<StandinOptions> = {}): Promise<Standin> {
  const file = await open(path, 'a+');
  opened.push(file);
  return Standin.open(assay(), { file, key: await keyOfLog(), mostAmount: { NGN: '500' }, now: t.now, ...over });
}
const sale = (over: Partial<Input<'verifyTransaction'>> = {}) =>
  ({ ...exampleOf('verifyTransaction'), ref: `s-${++n}`, ...over }) as Input<'verifyTransaction'>;
const recorded = () =>
  t.database.admin.query<{ ref: string; status: string; revision: number }>(
    'SELECT ref, status, revision FROM transactions WHERE account_id = $1 ORDER BY ref',
    [client.uuid],
  );

describe('a stand-in', () => {
  it('loses nothing and doubles nothing when the service is cut off under load and comes back', async () => {
    const s = await standin();
    await s.refresh();
    const answers = new Map<string, { status: string; standIn: boolean }>();
    const sales = Array.from({ length: 300 }, () => sale());
    let next = 0;
    const seller = async () => {
      for (let i = next++; i < sales.length; i = next++) {
        if (i === 100) line.cut();
        if (i === 220) line.restore();
        const asked = sales[i] as Input<'verifyTransaction'>;
        const { status, standIn } = await s.verifyTransaction(client.id, asked);
        answers.set(asked.ref, { status, standIn });
      }
    };
    await Promise.all(Array.from({ length: 16 }, seller));
    expect(answers.size).toBe(300);
    const stoodIn = [...answers].filter(([, a]) => a.standIn);
    expect(stoodIn.length).toBeGreaterThanOrEqual(100);
    expect(s.waiting).toBe(stoodIn.length);
    const settled = await s.submitWaiting();
    expect(settled.map((x) => x.outcome)).toEqual(stoodIn.map(() => 'CONFIRMED'));
    expect([s.waiting, await s.submitWaiting()]).toEqual([0, []]);
    const rows = await recorded();
    expect(rows.map((r) => r.ref)).toEqual(sales.map((x) => x.ref).sort());
    expect(rows.filter((r) => r.status !== answers.get(r.ref)?.status || r.revision !== 1)).toEqual([]);
  });

  it('survives the end of its process: the next one submits what the file holds, also after a torn line', async () => {
    const s = await standin();
    await s.refresh();
    line.cut();
    const refs = await Promise.all(
      [1, 2, 3].map(async () => (await s.verifyTransaction(client.id, sale())) as { ref: string; standIn: boolean }),
    );
    expect(refs.every((r) => r.standIn)).toBe(true);
    await writeFile(path, '{"given":true,"acc', { flag: 'a' });
    const other = await standin();
    expect(other.waiting).toBe(3);
    // Its snapshot is in the file as well, so it can go on while the service is away.
    expect(await other.verifyTransaction(client.id, sale())).toMatchObject({ standIn: true, status: 'APPROVED' });
    expect(await other.submitWaiting()).toEqual([]);
    line.restore();
    expect((await other.submitWaiting()).map((x) => x.outcome)).toEqual(Array(4).fill('CONFIRMED'));
    expect((await recorded()).length).toBe(4);
    expect((await standin()).waiting).toBe(0);
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(2);
  });

  it('is corrected by the service where the client was suspended meanwhile', async () => {
    const s = await standin();
    await s.refresh();
    line.cut();
    const given = await s.verifyTransaction(client.id, sale());
    expect(given).toMatchObject({ standIn: true, status: 'APPROVED' });
    await setStanding(t, client, { operationalStanding: 'SUSPENDED' });
    line.restore();
    const [settled] = await s.submitWaiting();
    expect(settled).toMatchObject({ outcome: 'CORRECTED', content: { status: 'DECLINED' } });
  });

  it('gives the same answer to the same sale, and none to another one with its ref', async () => {
    const s = await standin();
    await s.refresh();
    line.cut();
    const asked = sale();
    const [one, two] = await Promise.all([
      s.verifyTransaction(client.id, asked),
      s.verifyTransaction(client.id, asked),
    ]);
    expect([two, s.waiting]).toEqual([one, 1]);
    const other = s.verifyTransaction(client.id, { ...asked, totalAmount: 5, paymentMethods: { card: 5 } });
    await expect(other).rejects.toSatisfy((e) => isRefusal(e, 'REF_CONFLICT'));
    line.restore();
    await s.submitWaiting();
    expect(await s.verifyTransaction(client.id, asked)).toMatchObject({ standIn: false, status: 'APPROVED' });
    expect((await recorded()).length).toBe(1);
  });

  it('declines what the snapshot declines, and leaves to the caller what its limits do not cover', async () => {
    const held = await t.makeClient(psp);
    await setStanding(t, held, { operationalStanding: 'SUSPENDED' });
    const s = await standin({ mostWaiting: 2 });
    line.cut();
    const out = (id: string, over: Partial<Input<'verifyTransaction'>> = {}) => s.verifyTransaction(id, sale(over));
    // Without a snapshot nothing is decided.
    await expect(out(client.id)).rejects.toBeInstanceOf(NoReplyError);
    line.restore();
    await s.refresh();
    line.cut();
    expect(await out(held.id)).toMatchObject({ standIn: true, status: 'DECLINED', reason: 'the client is suspended' });
    await expect(out(client.id, { totalAmount: '500.01' })).rejects.toBeInstanceOf(NoReplyError);
    await expect(out(client.id, { currency: 'USD' })).rejects.toBeInstanceOf(NoReplyError);
    await expect(out('cli_unknown')).rejects.toBeInstanceOf(NoReplyError);
    expect(await out(client.id, { totalAmount: '500.00', paymentMethods: { card: 500 } })).toMatchObject({
      status: 'APPROVED',
    });
    // Two wait: a third is not taken.
    await expect(out(client.id)).rejects.toBeInstanceOf(NoReplyError);
  });

  it('decides by no snapshot that is too old, altered, or signed by another key', async () => {
    let ageMs = 0;
    const s = await standin({ now: () => t.now() + ageMs });
    await s.refresh();
    line.cut();
    ageMs = 3_599_000;
    expect(await s.verifyTransaction(client.id, sale())).toMatchObject({ standIn: true });
    ageMs = 3_600_000;
    await expect(s.verifyTransaction(client.id, sale())).rejects.toBeInstanceOf(NoReplyError);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/"DECLINED"|\\"APPROVED\\"/, '\\"DECLINED\\"'));
    await expect(standin()).rejects.toMatchObject({ code: 'SIGNATURE' });
    await writeFile(path, text);
    const stranger = await t.makePsp();
    const key = contentOf(await t.get('/v1/audit/key', stranger.apiKey)).key;
    await expect(standin({ key })).rejects.toMatchObject({ code: 'KEY' });
  });

  it('keeps what is refused for another reason than the sale, until the service records it', async () => {
    let keyed = true;
    const file = await open(path, 'a+');
    opened.push(file);
    const fetcher: typeof fetch = (url, init) => {
      const headers = new Headers(init?.headers);
      if (!keyed) headers.set('x-api-key', `${psp.apiKey}x`);
      return fetch(url, { ...init, headers });
    };
    const options = { file, key: await keyOfLog(), mostAmount: { NGN: '500' }, now: t.now };
    const s = await Standin.open(assay({ fetch: fetcher }), options);
    await s.refresh();
    line.cut();
    // The last one is not a sale that can be recorded, and never will be.
    for (const over of [{}, {}, { countryCode: 'ZZ' }]) await s.verifyTransaction(client.id, sale(over));
    line.restore();
    keyed = false;
    await expect(s.submitWaiting()).rejects.toSatisfy((e) => isRefusal(e, 'KEY_INVALID'));
    expect([s.waiting, await recorded()]).toEqual([3, []]);
    keyed = true;
    expect((await s.submitWaiting()).map((x) => x.outcome)).toEqual(['CONFIRMED', 'CONFIRMED', 'REFUSED']);
    expect([s.waiting, (await recorded()).length]).toEqual([0, 2]);
  });

  it('keeps a sale that the service fails at, and submits the others', async () => {
    const operator = await t.makeOperator();
    const issued = await t.post(`/v1/admin/account/${client.id}/key`, { name: 'tests', mode: 'test' }, operator.apiKey);
    const { apiKey, clientId } = contentOf(issued);
    const file = await open(path, 'a+');
    opened.push(file);
    const key = contentOf(await t.get('/v1/audit/key', apiKey)).key as string;
    const s = await Standin.open(assay({ apiKey }), { file, key, mostAmount: { NGN: '500' }, now: t.now });
    await s.refresh();
    line.cut();
    for (const ref of ['one', 'error-500-two', 'three'])
      expect(await s.verifyTransaction(clientId, sale({ ref }))).toMatchObject({ standIn: true });
    line.restore();
    const settled = await s.submitWaiting();
    expect(settled.map((x) => [x.answer.ref, x.outcome])).toEqual([
      ['one', 'CONFIRMED'],
      ['three', 'CONFIRMED'],
    ]);
    await expect(s.submitWaiting()).rejects.toSatisfy((e) => isRefusal(e, 'INTERNAL'));
    expect(s.waiting).toBe(1);
  });

  it('tells nobody of an answer before it is on the disk', async () => {
    const real = await open(path, 'a+');
    opened.push(real);
    let full = false;
    const file: StandinOptions['file'] = {
      readFile: (o) => real.readFile(o),
      appendFile: async (text) => {
        await new Promise((r) => setImmediate(r));
        if (full) throw new Error('no space');
        await real.appendFile(text);
      },
      datasync: () => real.datasync(),
      truncate: (length) => real.truncate(length),
    };
    const s = await standin({ file });
    await s.refresh();
    line.cut();
    full = true;
    const asked = sale();
    const told = await Promise.allSettled([1, 2, 3].map(() => s.verifyTransaction(client.id, asked)));
    expect(told.map((x) => x.status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(s.waiting).toBe(0);
    full = false;
    expect(await s.verifyTransaction(client.id, asked)).toMatchObject({ standIn: true, status: 'APPROVED' });
  });

  it('tells what it settled before the disk was full, and the rest once there is room', async () => {
    const file = await open(path, 'a+');
    opened.push(file);
    const full = () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
    let room = Number.POSITIVE_INFINITY;
    let mayCut = true;
    const small: StandinOptions['file'] = {
      readFile: (o) => file.readFile(o),
      appendFile: (text) => (room-- > 0 ? file.appendFile(text) : full()),
      datasync: () => file.datasync(),
      truncate: (length) => (mayCut ? file.truncate(length) : full()),
    };
    const s = await standin({ file: small });
    await s.refresh();
    line.cut();
    const sales = [sale(), sale(), sale(), sale()];
    for (const input of sales) await s.verifyTransaction(client.id, input);
    line.restore();
    room = 0;
    await expect(s.submitWaiting()).rejects.toThrow('no space left');
    room = 2;
    const first = await s.submitWaiting();
    room = Number.POSITIVE_INFINITY;
    expect(first.map((x) => x.answer.ref)).toEqual(sales.slice(0, 2).map((x) => x.ref));
    // What the next process finds is what waits, also where the file could not be begun again.
    const next = await standin();
    expect(next.waiting).toBe(2);
    mayCut = false;
    const rest = await s.submitWaiting();
    mayCut = true;
    expect([...first, ...rest].map((x) => x.answer.ref)).toEqual(sales.map((x) => x.ref));
    expect((await recorded()).map((r) => [r.ref, r.revision])).toEqual(sales.map((x) => [x.ref, 1]));
    line.cut();
    const late = sale();
    await s.verifyTransaction(client.id, late);
    line.restore();
    expect((await standin()).waiting).toBe(1);
    expect((await s.submitWaiting()).map((x) => x.answer.ref)).toEqual([late.ref]);
  });

  it('never answers where the service does: a refusal stays a refusal', async () => {
    const s = await standin();
    await s.refresh();
    const bad = s.verifyTransaction(client.id, sale({ currency: 'XXQ' }));
    await expect(bad).rejects.toSatisfy((e) => isRefusal(e, 'UNKNOWN_CURRENCY'));
    expect(s.waiting).toBe(0);
  });
});

describe('the snapshot', () => {
  const snapshot = async (key: string, headers: Record<string, string> = {}) => {
    const { snapshot: note } = contentOf(await t.get('/v1/standin/snapshot', key, headers));
    return JSON.parse(note.split('\n')[1]) as { accounts: { id: string; status: string; reason: string | null }[] };
  };

  it('holds a client’s own standing only, and for a PSP those of its clients, without private reasons', async () => {
    expect((await snapshot(client.apiKey)).accounts).toEqual([{ id: client.id, status: 'APPROVED', reason: null }]);
    const all = (await snapshot(psp.apiKey)).accounts.map((a) => a.id);
    expect(all).toEqual(expect.arrayContaining([psp.id, client.id]));
    const one = await snapshot(psp.apiKey, { 'x-client-id': client.id });
    expect(one.accounts.map((a) => a.id)).toEqual([client.id]);
    const stranger = await t.makePsp();
    expect((await t.get('/v1/standin/snapshot', stranger.apiKey, { 'x-client-id': client.id })).status).toBe(404);
  });

  it('declines an account from the beginning if a hold begins within its time', async () => {
    const staff = await t.makeOperator();
    const from = new Date(t.now() + 3_600_000).toISOString();
    const hold = { code: 'SANCTIONS_REVIEW', reason: 'name match', from };
    contentOf(await t.post(`/v1/admin/account/${client.id}/hold`, hold, staff.apiKey));
    const [own] = (await snapshot(client.apiKey)).accounts;
    expect(own?.status).toBe('DECLINED');
    expect(own?.reason).not.toContain('SANCTIONS');
    expect(own?.reason).not.toContain('name match');
  });
});
