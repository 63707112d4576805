// The client's verification of receipts compared with the service's: over real receipts and over every alteration of
// them, both give the same result.
import { generateKeyPairSync, sign } from 'node:crypto';
import { ReceiptError, verifyReceipt } from '@assay/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Flaw } from '../../src/core/audit/flaw.ts';
import { inclusionPath, nodesOf, rootOf } from '../../src/core/audit/merkle.ts';
import { checkpointText, formatKey, signNote, verifierKey } from '../../src/core/audit/note.ts';
import {
  entryHash,
  makeReceipt,
  originOf,
  type Receipt,
  type SealedEntry,
  verifyReceipt as verifiedByService,
} from '../../src/core/audit/receipt.ts';
import { completeRoot } from '../../src/core/audit/tiles.ts';
import { primitives, sha256 } from '../../src/platform/hashing.ts';
import { makeTestApp } from '../support/app.ts';
import { keyOf, receiptOf, verified } from '../support/audit.ts';
import { clientOf } from './world.ts';

const psp = 'f1900000-0000-7000-8000-000000000001';
const journal = Array.from(
  { length: 13 },
  (_, i): SealedEntry => ({
    psp,
    seq: i + 1,
    id: `01900000-0000-7000-8000-${String(i + 1).padStart(12, '0')}`,
    kind: 'transaction.created',
    account: psp,
    resource: '01900000-0000-7000-8000-0000000000aa',
    body: `{"data":{"name":"Ọlá 😀","seq":${i + 1}}}`,
  }),
);
const pair = generateKeyPairSync('ed25519');
const publicKey = new Uint8Array(pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
const key = verifierKey(sha256, originOf('pay.example', psp), publicKey);

/** A receipt for some entries of a journal of the first `size` entries. */
function receiptFor(seqs: readonly number[], size: number): Receipt {
  const leaves = journal.slice(0, size).map((e) => entryHash(sha256, e));
  const hash = (from: number, to: number) =>
    rootOf(
      sha256,
      nodesOf({ from, to }).map((n) =>
        completeRoot(sha256, leaves.slice(n.index * 2 ** n.level, (n.index + 1) * 2 ** n.level)),
      ),
    );
  return makeReceipt(
    seqs.map((seq) => ({
      entry: journal[seq - 1] as SealedEntry,
      proof: inclusionPath(seq - 1, size).map((r) => hash(r.from, r.to)),
    })),
    signNote(
      checkpointText({ origin: key.name, size, root: hash(0, size) }),
      key,
      (m) => new Uint8Array(sign(null, m, pair.privateKey)),
    ),
  );
}

const byClient = (value: unknown, k: string) =>
  verifyReceipt(value, k).then(
    (v) => ({ entries: v.entries, size: v.checkpoint.size }),
    (e: unknown) => {
      if (e instanceof ReceiptError) return { code: e.code };
      throw e;
    },
  );
const byService = (value: unknown, k: string) => {
  const v = verifiedByService(value, k, primitives);
  return v instanceof Flaw ? { code: v.code } : { entries: v.entries, size: v.checkpoint.size };
};

describe('a receipt', () => {
  it('holds for every entry of every journal up to thirteen, alone and in its envelope', async () => {
    for (let size = 1; size <= journal.length; size++)
      for (let seq = 1; seq <= size; seq++) {
        const receipt = receiptFor([seq], size);
        expect(await byClient(receipt, formatKey(key))).toEqual({ entries: [journal[seq - 1]], size });
        expect(await byClient({ content: receipt }, formatKey(key))).toHaveProperty('entries');
      }
  });

  it('altered anywhere is judged as the service judges it', async () => {
    const text = JSON.stringify(receiptFor([4, 9], 13));
    const letter = fc.constantFrom('0', '1', 'A', 'z', '+', '/', '=', ' ', '"', '\\n', 'é', '');
    const codes = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.nat(3), letter, async (at, cut, put) => {
        const altered = `${text.slice(0, at)}${put}${text.slice(at + cut)}`;
        let value: unknown;
        try {
          value = JSON.parse(altered);
        } catch {
          return;
        }
        const said = await byClient(value, formatKey(key));
        expect(said).toEqual(byService(value, formatKey(key)));
        codes.add('code' in said ? said.code : 'holds');
      }),
      { numRuns: 400 },
    );
    expect(codes.size).toBeGreaterThan(2);
  });

  it('is judged alike by any key', async () => {
    const receipt = receiptFor([4], 13);
    const good = formatKey(key);
    const stranger = new Uint8Array(
      generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
    );
    const keys = [
      '',
      'a+b+c',
      good.slice(0, -1),
      good.replace('pay', 'say'),
      `${good} `,
      formatKey(verifierKey(sha256, key.name, stranger)),
      formatKey(verifierKey(sha256, key.name, new Uint8Array(32).fill(255))),
      formatKey(verifierKey(sha256, 'other', publicKey)),
    ];
    for (const k of keys) expect([k, await byClient(receipt, k)]).toEqual([k, byService(receipt, k)]);
    for (const value of [null, 'receipt', {}, { ...receipt, format: 'assay-receipt/v2' }, { ...receipt, entries: [] }])
      expect(await byClient(value, good)).toEqual({ code: 'FORM' });
  });

  it('of the service itself holds as the client got it, and not with an altered body', async () => {
    const t = await makeTestApp();
    try {
      const account = await t.makePsp();
      const recordId = await verified(t, account);
      await receiptOf(t, account, recordId);
      const receipt = await clientOf(t, account).getReceipt({ recordId });
      const { entries } = await verifyReceipt(receipt, await keyOf(t, account));
      expect(JSON.parse(entries[0]?.body as string).data.transactionId).toBe(recordId);
      const [first] = receipt.entries;
      const body = first?.entry.body.replace('APPROVED', 'DECLINED');
      const altered = { ...receipt, entries: [{ ...first, entry: { ...first?.entry, body } }] };
      await expect(verifyReceipt(altered, await keyOf(t, account))).rejects.toMatchObject({ code: 'PROOF' });
    } finally {
      await t.stop();
    }
  });
});
