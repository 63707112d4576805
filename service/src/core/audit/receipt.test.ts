// Receipts checked with only their text and a key: what is accepted, and each way a check may fail.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { primitives as p, sha256 } from '../../platform/hashing.ts';
import { toWire } from '../ids.ts';
import { Flaw } from './flaw.ts';
import { inclusionPath, nodesOf, rootOf } from './merkle.ts';
import { checkpointText, formatKey, signNote, verifierKey } from './note.ts';
import {
  entryHash,
  leafBytes,
  makeReceipt,
  originOf,
  type Receipt,
  type SealedEntry,
  type VerifiedReceipt,
  verifyReceipt,
} from './receipt.ts';
import { completeRoot } from './tiles.ts';

const psp = '01900000-0000-7000-8000-000000000001';
const resource = '01900000-0000-7000-8000-0000000000aa';
const other = '01900000-0000-7000-8000-000000000002';

const entry = (seq: number, over: Partial<SealedEntry> = {}): SealedEntry => ({
  psp,
  seq,
  id: `01900000-0000-7000-8000-${String(seq).padStart(12, '0')}`,
  kind: 'transaction.created',
  account: psp,
  resource,
  body: `{"data":{"name":"Ọlá 株式会社 😀","seq":${seq}}}`,
  ...over,
});
const log = Array.from({ length: 11 }, (_, i) => entry(i + 1));
const raw = (key: KeyObject) => new Uint8Array(key.export({ format: 'der', type: 'spki' }).subarray(-32));
const pair = generateKeyPairSync('ed25519');
const key = verifierKey(sha256, originOf('pay.example', psp), raw(pair.publicKey));
const vkey = formatKey(key);

/** A receipt for some entries of a journal. */
function receiptFor(seqs: readonly number[], journal: readonly SealedEntry[] = log, origin = key.name): Receipt {
  const leaves = journal.map((e) => entryHash(sha256, e));
  const hash = (from: number, to: number) =>
    rootOf(
      sha256,
      nodesOf({ from, to }).map((n) =>
        completeRoot(sha256, leaves.slice(n.index * 2 ** n.level, (n.index + 1) * 2 ** n.level)),
      ),
    );
  const text = checkpointText({ origin, size: journal.length, root: hash(0, journal.length) });
  const signer = verifierKey(sha256, origin, key.publicKey);
  return makeReceipt(
    seqs.map((seq) => ({
      entry: journal[seq - 1] as SealedEntry,
      proof: inclusionPath(seq - 1, journal.length).map((r) => hash(r.from, r.to)),
    })),
    signNote(text, signer, (m) => new Uint8Array(sign(null, m, pair.privateKey))),
  );
}

describe('the bytes of an entry', () => {
  it('are the lines that the reference describes, in UTF-8', () => {
    const text = `assay-journal-entry/v1\n${psp}\n3\n${entry(3).id}\ntransaction.created\n${psp}\n${resource}\n${entry(3).body}`;
    expect(Buffer.from(leafBytes(entry(3))).toString('utf8')).toBe(text);
  });

  it('hash to this, in every language', () => {
    const e = entry(1, { body: '{"a":"é"}' });
    expect(Buffer.from(entryHash(sha256, e)).toString('hex')).toBe(
      '27b6885a9d938dafba216dd5de080989d988c088850cc59082aad0878a361a25',
    );
  });
});

describe('a receipt', () => {
  let good: Receipt;
  beforeAll(() => {
    good = receiptFor([4, 9]);
  });

  it('holds, alone or in the envelope of its reply, also after it was written as JSON', () => {
    for (const form of [good, { success: true, message: 'receipt', content: good }]) {
      const verified = verifyReceipt(JSON.parse(JSON.stringify(form)), vkey, p) as VerifiedReceipt;
      expect(verified.entries).toEqual([log[3], log[8]]);
      expect(verified.checkpoint).toMatchObject({ origin: `pay.example/${toWire('psp', psp)}`, size: 11 });
    }
  });

  it('holds for every entry of every log up to eleven', () => {
    for (let n = 1; n <= log.length; n++)
      for (let seq = 1; seq <= n; seq++)
        expect(verifyReceipt(receiptFor([seq], log.slice(0, n)), vkey, p)).toHaveProperty('entries');
  });

  const first = (r: Receipt, over: Record<string, unknown>): unknown => ({
    ...r,
    entries: [{ ...r.entries[0], ...over }, ...r.entries.slice(1)],
  });
  const altered = (r: Receipt, over: Record<string, unknown>) =>
    first(r, { entry: { ...r.entries[0]?.entry, ...over } });
  const strange = verifierKey(sha256, key.name, raw(generateKeyPairSync('ed25519').publicKey));

  it.each<[string, (r: Receipt) => unknown, string, RegExp]>([
    [
      'its body was altered',
      (r) => altered(r, { body: `${log[3]?.body} ` }),
      'PROOF',
      /^entry 4 is not what was sealed/,
    ],
    ['its kind was altered', (r) => altered(r, { kind: 'transaction.updated' }), 'PROOF', /entry 4/],
    ['its id was altered', (r) => altered(r, { id: other }), 'PROOF', /entry 4/],
    ['its account was altered', (r) => altered(r, { account: other }), 'PROOF', /entry 4/],
    ['its number was altered', (r) => altered(r, { seq: 5 }), 'PROOF', /entry 5/],
    ['a hash of its proof was left out', (r) => first(r, { proof: r.entries[0]?.proof.slice(1) }), 'PROOF', /entry 4/],
    ['its proof is that of another', (r) => first(r, { proof: r.entries[1]?.proof }), 'PROOF', /entry 4/],
    ['a hash of its proof is none', (r) => first(r, { proof: ['AAAA'] }), 'FORM', /^the proof of entry 4 is malformed/],
    [
      'its entry is beyond the checkpoint',
      (r) => first({ ...r, entries: r.entries.slice(0, 1) }, { entry: entry(12) }),
      'SIZE',
      /^entry 12 is not covered/,
    ],
    [
      'its entry is of another PSP',
      (r) => first({ ...r, entries: r.entries.slice(0, 1) }, { entry: entry(4, { psp: other }) }),
      'LOG',
      /of another PSP/,
    ],
    ['its entries are of two PSPs', (r) => altered(r, { psp: other }), 'ENTRY', /does not follow/],
    ['an entry is there twice', (r) => ({ ...r, entries: [r.entries[0], r.entries[0]] }), 'ENTRY', /does not follow/],
    ['its number is none', (r) => altered(r, { seq: 0 }), 'FORM', /wrong form/],
    ['its kind is a list', (r) => altered(r, { kind: ['transaction.created'] }), 'FORM', /wrong form/],
    ['its id is a list', (r) => altered(r, { id: [other] }), 'FORM', /wrong form/],
    ['its body is a number', (r) => altered(r, { body: 5 }), 'FORM', /wrong form/],
    ['a hash of its proof is a number', (r) => first(r, { proof: [5] }), 'FORM', /wrong form/],
    ['a hash of its proof is no base64', (r) => first(r, { proof: ['****'] }), 'FORM', /^the proof of entry 4/],
    ['its entries are of two records', (r) => altered(r, { resource: other }), 'ENTRY', /does not follow/],
    ['its entries are out of order', (r) => ({ ...r, entries: r.entries.toReversed() }), 'ENTRY', /does not follow/],
    [
      'its checkpoint was altered',
      (r) => ({ ...r, checkpoint: r.checkpoint.replace('\n11\n', '\n12\n') }),
      'SIGNATURE',
      /signature/,
    ],
    [
      'its checkpoint is of another log',
      () => receiptFor([4], log, originOf('pay.example', other)),
      'KEY',
      /not by pay\.example/,
    ],
    ['it has no checkpoint', (r) => ({ ...r, checkpoint: undefined }), 'FORM', /no checkpoint/],
    ['it has no entries', (r) => ({ ...r, entries: [] }), 'FORM', /no entries/],
    ['an entry has a line end in its kind', (r) => altered(r, { kind: 'a\nb' }), 'FORM', /wrong form/],
    ['an id is not written as a UUID', (r) => altered(r, { id: 'X' }), 'FORM', /wrong form/],
    ['it is of a later form', (r) => ({ ...r, format: 'assay-receipt/v2' }), 'FORM', /assay-receipt\/v1/],
    ['it is something else', () => 'receipt', 'FORM', /not a receipt/],
    ['it is nothing', () => null, 'FORM', /not a receipt/],
  ])('does not hold where %s', (_, change, code, message) => {
    const flaw = verifyReceipt(change(good), vkey, p) as Flaw;
    expect([flaw instanceof Flaw, flaw.code]).toEqual([true, code]);
    expect(flaw.message).toMatch(message);
  });

  it('does not hold with the key of somebody else or with none', () => {
    expect(verifyReceipt(good, formatKey(strange), p)).toMatchObject({ code: 'KEY' });
    expect(verifyReceipt(good, '', p)).toMatchObject({ code: 'KEY' });
  });
});

describe('a receipt of a record that came in a file', () => {
  const digest = (text: string) => Buffer.from(sha256(new TextEncoder().encode(text))).toString('hex');
  const [record, text] = ['01900000-0000-7000-8000-0000000000b2', '{"cdr_id":"c-2"}'];
  const records = [`${resource} c-1 ${digest('{"cdr_id":"c-1"}')}`, `${record} c-2 ${digest(text)}`];
  const bodyOf = (lines: readonly string[]) =>
    JSON.stringify({ data: { recordsSha256: digest(lines.map((l) => `${l}\n`).join('')) } });
  const journal = [
    ...log.slice(0, 2),
    entry(3, { kind: 'cdr.file_portion', body: bodyOf(records) }),
    entry(4, { kind: 'cdr.file_portion', body: bodyOf([...records, 'more']) }),
  ];
  const proofOf = (over: Record<string, unknown> = {}) => ({ record, text, records, ...over });
  const under = (portion: unknown, seqs = [3]) => ({ ...receiptFor(seqs, journal), portion });

  it('holds for each of them', () => {
    const given = receiptFor([3], journal);
    const made = makeReceipt([], given.checkpoint, proofOf());
    expect(made.portion).toEqual(proofOf());
    expect(given).not.toHaveProperty('portion');
    expect(verifyReceipt(under(proofOf()), vkey, p)).toMatchObject({ portion: proofOf() });
    const one = proofOf({ record: resource, text: '{"cdr_id":"c-1"}' });
    expect(verifyReceipt(under(one), vkey, p)).toMatchObject({ portion: one });
    expect(verifyReceipt(given, vkey, p)).not.toHaveProperty('portion');
  });

  it.each<[string, unknown, string, RegExp]>([
    ['its text was altered', under(proofOf({ text: `${text} ` })), 'PROOF', /not one of the portion/],
    ['its record is another', under(proofOf({ record: other })), 'PROOF', /not one of the portion/],
    ['its record is that of another text', under(proofOf({ record: resource })), 'PROOF', /not one of the portion/],
    ['a record was left out', under(proofOf({ records: records.slice(1) })), 'PROOF', /not those of the portion/],
    ['its records are those of another portion', under(proofOf(), [4]), 'PROOF', /not those of the portion/],
    ['its entry is not that of a portion', under(proofOf(), [2]), 'ENTRY', /not that of one/],
    ['it has two entries', under(proofOf(), [3, 4]), 'ENTRY', /not that of one/],
    ['its record is no UUID', under(proofOf({ record: 'c-2' })), 'FORM', /portion of the receipt/],
    ['its record is a list', under(proofOf({ record: [record] })), 'FORM', /portion of the receipt/],
    ['its text is none', under(proofOf({ text: 5 })), 'FORM', /portion of the receipt/],
    ['its records are none', under(proofOf({ records: undefined })), 'FORM', /portion of the receipt/],
    ['a line of its records is none', under(proofOf({ records: [5] })), 'FORM', /portion of the receipt/],
    ['one line of its records is none', under(proofOf({ records: [...records, 5] })), 'FORM', /portion of the receipt/],
    [
      'a line of its records is two',
      under(proofOf({ records: [records.join('\n')] })),
      'FORM',
      /portion of the receipt/,
    ],
    ['its portion is nothing', under(null), 'FORM', /portion of the receipt/],
  ])('does not hold where %s', (_, receipt, code, message) => {
    expect(verifyReceipt(receipt, vkey, p)).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});
