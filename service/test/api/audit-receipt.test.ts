// Receipts over HTTP: their content, that they can be verified offline, and who may get which.
import { createPublicKey } from 'node:crypto';
import { verifyCheckpoint } from '@sigstore/verify/dist/tlog/checkpoint.js';
import { verifyMerkleInclusion } from '@sigstore/verify/dist/tlog/merkle.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromBase64 } from '../../src/core/audit/base64.ts';
import { type Checkpoint, openCheckpoint, parseKey, type VerifierKey } from '../../src/core/audit/note.ts';
import { leafBytes, type VerifiedReceipt } from '../../src/core/audit/receipt.ts';
import { toWire } from '../../src/core/ids.ts';
import { primitives, sha256 } from '../../src/platform/hashing.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { allSealed, check, keyOf, receiptOf, verified } from '../support/audit.ts';
import { verifyConsistency } from '../support/consistency.ts';
import { contentOf, expectRefusal, refusesOperators, type Wire } from '../support/guarantees.ts';
import { told } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let transactionId: string;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  transactionId = await verified(t, client);
  await receiptOf(t, client, transactionId);
});
afterAll(() => t?.stop());

const wire = (path: () => string): Wire => ({
  app: () => t,
  method: 'GET',
  get path() {
    return path();
  },
  caller: () => psp,
});
const hash = (text: string) => fromBase64(text) as Uint8Array;
const checkpoint = async (query = ''): Promise<Checkpoint & { note: string }> => {
  const { checkpoint: note } = contentOf(await t.get(`/v1/audit/checkpoint${query}`, psp.apiKey));
  const opened = openCheckpoint(note, parseKey(sha256, await keyOf(t, psp)) as VerifierKey, primitives) as Checkpoint;
  return { ...opened, note };
};

describe('getReceipt', () => {
  describe('accepts', () => {
    it('gives the journal entry of a decision exactly, with a proof that checks offline', async () => {
      const receipt = await receiptOf(t, client, transactionId);
      const [entry] = await told(t, transactionId);
      const sealed = check(receipt, await keyOf(t, client)) as VerifiedReceipt;
      expect(sealed.entries).toHaveLength(1);
      expect(sealed.entries[0]).toMatchObject({ seq: entry?.seq, kind: 'transaction.created', body: entry?.text });
      expect(sealed.checkpoint.origin).toBe(`assay/${psp.id}`);
      expect(sealed.checkpoint.size).toBeGreaterThanOrEqual(entry?.seq as number);
    });

    it('is accepted by an independent library, checkpoint and proof', async () => {
      const receipt = await receiptOf(t, client, transactionId);
      const key = parseKey(sha256, await keyOf(t, client)) as VerifierKey;
      const log = {
        logID: Buffer.concat([key.id, Buffer.alloc(28)]),
        publicKey: createPublicKey({
          key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.publicKey]),
          format: 'der',
          type: 'spki',
        }),
        baseURL: key.name,
      };
      for (const { entry, proof } of receipt.entries) {
        const theirs = {
          canonicalizedBody: Buffer.from(leafBytes(entry)),
          inclusionProof: {
            logIndex: String(entry.seq - 1),
            hashes: proof.map(hash).map((h) => Buffer.from(h)),
            checkpoint: { envelope: receipt.checkpoint },
          },
        } as never;
        const checkpoint = verifyCheckpoint(theirs, [log] as never);
        expect(() => verifyMerkleInclusion(theirs, checkpoint)).not.toThrow();
      }
    });

    it('holds every change of the record, in order', async () => {
      const ref = `charged-${t.now()}`;
      const id = await verified(t, client, { ref });
      const charged = await t.post('/v1/transaction/chargeBack', { ref }, psp.apiKey, { 'x-client-id': client.id });
      expect(charged.status).toBe(200);
      const sealed = check(await receiptOf(t, psp, id), await keyOf(t, psp)) as VerifiedReceipt;
      expect(sealed.entries.map((e) => e.kind)).toEqual(['transaction.created', 'transaction.updated']);
      const { chargeback } = JSON.parse(sealed.entries[1]?.body as string).data;
      const of = check(await receiptOf(t, client, chargeback.id), await keyOf(t, psp)) as VerifiedReceipt;
      expect(of.entries.map((e) => e.kind)).toEqual(['chargeback.created']);
    });

    it('is given for wagers and payouts as well, with personal data sealed only', async () => {
      const gamer = await t.makeClient(psp, { classification: 'IGAMING_LOCAL' });
      const email = 'lucky.person@example.com';
      const wager = contentOf(
        await t.post(
          '/captureWager',
          { amount: 100, ref: 'w-1', customer: { email }, ip: '197.210.1.1', type: 'SPORTSBOOK' },
          gamer.apiKey,
        ),
      );
      const receipt = await receiptOf(t, gamer, wager.wagerId);
      const sealed = check(receipt, await keyOf(t, gamer)) as VerifiedReceipt;
      expect(sealed.entries.map((e) => e.kind)).toEqual(['wager.created']);
      expect(JSON.stringify(receipt)).not.toContain(email);
      expect(JSON.parse(sealed.entries[0]?.body as string).sealed).toEqual(expect.any(String));
    });

    it('stays good while the journal grows far beyond it', async () => {
      const early = await receiptOf(t, client, transactionId);
      const ids: string[] = [];
      for (let i = 0; i < 80; i++) ids.push(await verified(t, client));
      for (const id of [transactionId, ids[0], ids[40], ids[79]] as string[])
        expect(check(await receiptOf(t, client, id), await keyOf(t, client))).toHaveProperty('entries');
      expect(check(early, await keyOf(t, client))).toHaveProperty('entries');
    });
  });

  describe('validates', () => {
    it('says that it is too early and when to ask again, until the record is sealed', async () => {
      let id = '';
      // Whoever holds the cursor reads the journal; the sealer leaves it to them.
      await t.database.admin.transaction(async (tx) => {
        const held = await tx.query("SELECT 1 FROM journal_cursors WHERE psp_id = $1 AND reader = 'seal' FOR UPDATE", [
          psp.uuid,
        ]);
        expect(held).toHaveLength(1);
        id = await verified(t, client);
        const r = await t.get(`/v1/audit/receipt/${id}`, client.apiKey);
        expectRefusal(r, 503, 'NOT_SEALED', 'this was recorded but is not sealed yet; ask again in two seconds');
        expect(r.headers.get('retry-after')).toBe('2');
      });
      await receiptOf(t, client, id);
    });
  });

  describe('authenticates', () => {
    refusesOperators(
      wire(() => `/v1/audit/receipt/${transactionId}`),
      'getReceipt',
    );
  });

  describe('authorises', () => {
    it('gives a PSP the receipts of all its clients, another client or PSP none', async () => {
      expect(await receiptOf(t, psp, transactionId)).toHaveProperty('entries');
      const strangers = [await t.makeClient(psp), await t.makePsp('Other PSP')];
      const unknown = await t.get(`/v1/audit/receipt/${toWire('transaction', t.app.services.ids.next())}`, psp.apiKey);
      expectRefusal(unknown, 404, 'NOT_FOUND');
      for (const s of strangers) {
        const r = await t.get(`/v1/audit/receipt/${transactionId}`, s.apiKey);
        expect([r.status, r.text]).toEqual([404, unknown.text]);
      }
    });

    it('has none for accounts, keys or what is no id at all', async () => {
      for (const id of [client.id, psp.id, 'x', 'txn_', `${transactionId}x`])
        expectRefusal(await t.get(`/v1/audit/receipt/${id}`, psp.apiKey), 404, 'NOT_FOUND');
    });
  });
});

describe('getCheckpoint', () => {
  it('gives the latest, signed by the published key, and an earlier one by its size', async () => {
    const before = await checkpoint();
    await verified(t, client);
    const after = await until('the next is signed', async () => {
      const c = await checkpoint();
      return c.size > before.size && c;
    });
    expect(after.origin).toBe(`assay/${psp.id}`);
    expect((await checkpoint(`?size=${before.size}`)).note).toBe(before.note);
    expectRefusal(await t.get('/v1/audit/checkpoint?size=999999', psp.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await t.get('/v1/audit/checkpoint?size=0', psp.apiKey), 400, 'QUERY_INVALID');
  });

  it("is the PSP's for its clients too, and another for each PSP", async () => {
    await allSealed(t);
    const other = await t.makePsp('Third PSP');
    await allSealed(t);
    const of = async (a: Account) => contentOf(await t.get('/v1/audit/checkpoint', a.apiKey)).origin;
    expect([await of(client), await of(other)]).toEqual([`assay/${psp.id}`, `assay/${other.id}`]);
    expect(await keyOf(t, other)).not.toBe(await keyOf(t, psp));
  });

  refusesOperators(
    wire(() => '/v1/audit/checkpoint'),
    'getCheckpoint',
  );
});

describe('getConsistency', () => {
  it('proves between any two sealed sizes that the earlier is how the later began', async () => {
    await allSealed(t);
    const { size } = await checkpoint();
    for (const [from, to] of [
      [1, size],
      [1, 1],
      [31, 33],
      [32, size],
      [size - 1, size],
      [size, size],
    ] as const) {
      const c = contentOf(await t.get(`/v1/audit/consistency?from=${from}&to=${to}`, psp.apiKey));
      const held = verifyConsistency(sha256, from, to, c.proof.map(hash), hash(c.fromRoot), hash(c.toRoot));
      expect([from, to, held]).toEqual([from, to, true]);
    }
  });

  it('gives the roots that the checkpoints of those sizes were signed with', async () => {
    const early = await checkpoint();
    await verified(t, client);
    await allSealed(t);
    const late = await checkpoint();
    const c = contentOf(await t.get(`/v1/audit/consistency?from=${early.size}&to=${late.size}`, client.apiKey));
    expect([hash(c.fromRoot), hash(c.toRoot)]).toEqual([early.root, late.root]);
    expect(verifyConsistency(sha256, early.size, late.size, c.proof.map(hash), early.root, late.root)).toBe(true);
  });

  it.each([
    ['from=2&to=1', 'QUERY_INVALID', /'from' must not be greater/],
    ['from=1&to=99999999', 'QUERY_INVALID', /beyond what is sealed/],
    ['from=0&to=1', 'QUERY_INVALID', /'from'/],
    ['from=1', 'FIELD_REQUIRED', /'to'/],
    ['from=a&to=b', 'QUERY_INVALID', /'from'/],
  ])('refuses ?%s', async (query, code, message) => {
    expectRefusal(await t.get(`/v1/audit/consistency?${query}`, psp.apiKey), 400, code, message);
  });

  refusesOperators(
    wire(() => '/v1/audit/consistency?from=1&to=1'),
    'getConsistency',
  );
});

describe('getAuditKey', () => {
  it('gives one key for the PSP and its clients, in the form that signed notes have', async () => {
    const c = contentOf(await t.get('/v1/audit/key', psp.apiKey));
    const parsed = parseKey(sha256, c.key) as VerifierKey;
    expect([parsed.name, Buffer.from(parsed.publicKey).toString('base64')]).toEqual([c.keyName, c.publicKey]);
    expect(await keyOf(t, client)).toBe(c.key);
  });

  refusesOperators(
    wire(() => '/v1/audit/key'),
    'getAuditKey',
  );
});
