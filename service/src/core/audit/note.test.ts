// Signed notes and checkpoints: the specification's example, what other implementations accept, and every way a note
// may be wrong.
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { verifyCheckpoint } from '@sigstore/verify/dist/tlog/checkpoint.js';
import { describe, expect, it } from 'vitest';
import { Flaw } from './flaw.ts';
import type { Checkpoint, Note, Primitives, VerifierKey } from './note.ts';
import {
  checkpointText,
  formatKey,
  openCheckpoint,
  parseCheckpoint,
  parseKey,
  parseNote,
  signNote,
  verifierKey,
} from './note.ts';

const spki = (raw: Uint8Array) =>
  createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]),
    format: 'der',
    type: 'spki',
  });
const p: Primitives = {
  sha256: (b) => new Uint8Array(createHash('sha256').update(b).digest()),
  verifyEd25519: (key, message, signature) => verify(null, message, spki(key), signature),
};
const raw = (key: KeyObject) => new Uint8Array(key.export({ format: 'der', type: 'spki' }).subarray(-32));
const pair = generateKeyPairSync('ed25519');
const key = verifierKey(p.sha256, 'pay.example/psp_1', raw(pair.publicKey));
const signer = (message: Uint8Array) => new Uint8Array(sign(null, message, pair.privateKey));
const root = p.sha256(new TextEncoder().encode('tree'));
const text = checkpointText({ origin: key.name, size: 42, root });
const note = signNote(text, key, signer);

describe("the specification's example", () => {
  const vkey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
  const example =
    'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';

  it('has this key, and its signature holds', () => {
    const k = parseKey(p.sha256, vkey) as VerifierKey;
    expect(formatKey(k)).toBe(vkey);
    const { text, signatures } = parseNote(example) as Note;
    expect(text).toBe('This is an example message.\n');
    const [s] = signatures;
    expect([s?.name, s?.keyId]).toEqual([k.name, k.id]);
    expect(p.verifyEd25519(k.publicKey, new TextEncoder().encode(text), s?.signature as Uint8Array)).toBe(true);
  });

  it('has checkpoints of this form', () => {
    const written = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
    const c = parseCheckpoint(written) as Checkpoint;
    expect([c.origin, c.size, c.root.length]).toEqual(['example.com/behind-the-sofa', 20852163, 32]);
    expect(checkpointText(c)).toBe(written);
    expect(parseCheckpoint(`${written}an extension\n`)).toEqual(c);
  });
});

describe('a checkpoint', () => {
  it('opens with the key it was signed with', () => {
    expect(openCheckpoint(note, parseKey(p.sha256, formatKey(key)) as VerifierKey, p)).toEqual({
      origin: key.name,
      size: 42,
      root: new Uint8Array(root),
    });
  });

  it('is accepted by an independent library', () => {
    const log = {
      logID: Buffer.concat([key.id, Buffer.alloc(28)]),
      publicKey: pair.publicKey,
      baseURL: `https://${key.name}`,
      validFor: { start: new Date(0), end: new Date(8.64e15) },
    };
    const entry = (envelope: string) => ({ inclusionProof: { checkpoint: { envelope } } }) as never;
    expect(verifyCheckpoint(entry(note), [log] as never)).toMatchObject({ origin: key.name, logSize: 42n });
    expect(() => verifyCheckpoint(entry(note.replace('\n42\n', '\n43\n')), [log] as never)).toThrow('signature');
  });

  it('opens with further signatures beside it, of keys that are not known', () => {
    const witness = verifierKey(p.sha256, 'witness.example', raw(generateKeyPairSync('ed25519').publicKey));
    const line = signNote(text, witness, () => new Uint8Array(64)).slice(text.length + 1);
    expect(openCheckpoint(note + line, key, p)).toMatchObject({ size: 42 });
    expect(openCheckpoint(`${note}— witness.example AAAAAAA=\n`, key, p)).toMatchObject({ size: 42 });
  });

  it('says who signed it, where the key is another', () => {
    const [signed, wanted] = [Buffer.from(key.id).toString('hex'), Buffer.from(other.id).toString('hex')];
    expect(openCheckpoint(`${note}— witness.example AAAAAAA=\n`, other, p)).toMatchObject({
      message: `the checkpoint is signed by ${key.name} (${signed}), witness.example (00000000), not by ${key.name} (${wanted})`,
    });
  });

  it('ends in a line end, and so does what is signed', () => {
    expect(parseCheckpoint(text.slice(0, -1))).toBeInstanceOf(Flaw);
    expect(() => signNote(text.slice(0, -1), key, signer)).toThrow('lines of a note');
    expect(() => signNote(text, { ...key, name: 'a name' }, signer)).toThrow('lines of a note');
  });

  const other = verifierKey(p.sha256, key.name, raw(generateKeyPairSync('ed25519').publicKey));
  const elsewhere = checkpointText({ origin: 'pay.example/psp_2', size: 42, root });
  it.each([
    ['another size', note.replace('\n42\n', '\n43\n'), key, 'SIGNATURE'],
    [
      'another root',
      note.replace(/\n42\n./, (t) => `${t.slice(0, -1)}${t.endsWith('A') ? 'B' : 'A'}`),
      key,
      'SIGNATURE',
    ],
    ['another key', note, other, 'KEY'],
    ['another log under the right key', signNote(elsewhere, key, signer), key, 'LOG'],
    ['a size with leading zero', signNote(text.replace('42', '042'), key, signer), key, 'FORM'],
    ['a size beyond reason', signNote(text.replace('42', '90071992547409931'), key, signer), key, 'FORM'],
    ['a short root', signNote(`${key.name}\n42\nAAAA\n`, key, signer), key, 'FORM'],
    ['no signature', text, key, 'FORM'],
    ['no blank line', note.replace('\n\n', '\n'), key, 'FORM'],
    ['a hyphen for the dash', note.replace('—', '-'), key, 'FORM'],
    ['other line ends', note.replaceAll('\n', '\r\n'), key, 'FORM'],
    ['no last line end', note.slice(0, -1), key, 'FORM'],
    ['nothing', '', key, 'FORM'],
    ['something for its last line end', `${note.slice(0, -1)}x`, key, 'FORM'],
    ['a tab in its text', signNote(`${text}a\tb\n`, key, signer), key, 'FORM'],
    ['no root', signNote(`${key.name}\n42\n`, key, signer), key, 'FORM'],
    ['something before the dash', note.replace('\n— ', '\nx— '), key, 'FORM'],
    ['something behind a signature', `${note.slice(0, -1)} x\n`, key, 'FORM'],
    ['a signature that is no base64', `${note}— witness.example ****\n`, key, 'FORM'],
    ['a signature without bytes of its own', `${note}— witness.example AAAAAA==\n`, key, 'FORM'],
    ['a signer without a sound name', `${note}— wit+ness AAAAAAA=\n`, key, 'FORM'],
    ['the signature under another name', note.replace('— pay.example/psp_1', '— pay.example/psp_2'), key, 'KEY'],
  ])('does not open with %s', (_, wrong, k, code) => {
    expect(openCheckpoint(wrong, k, p)).toMatchObject({ code, message: expect.stringMatching(/^\p{L}.{20,}/u) });
  });
});

describe('a key', () => {
  const good = formatKey(key);
  const of = (name: string, publicKey: Uint8Array) => formatKey(verifierKey(p.sha256, name, publicKey));
  const encoded = (kind: number, k: Uint8Array) => Buffer.from(Uint8Array.of(kind, ...k)).toString('base64');
  it.each([
    ['is empty', '', 'not written as name+id+key'],
    ['has lost its end', good.slice(0, -4), 'an Ed25519 key'],
    ['has another name', good.replace('pay', 'pray'), 'its own id'],
    ['has a space in its name', of('p y', key.publicKey), 'not written as'],
    ['has no name', of('', key.publicKey), 'not written as'],
    ['has a sign in its name that is not seen', of('p\u200by', key.publicKey), 'not written as'],
    ['has no id', `${key.name}+${good.slice(key.name.length + 10)}`, 'not written as'],
    ['is no base64', `${key.name}+00000000+****`, 'not written as'],
    ['has something before it', `x+${good}`, 'not written as'],
    ['has something behind it', `${good} x`, 'not written as'],
    ['has an id of other bytes', good.replace(/\+[0-9a-f]{8}\+/, '+00000000+'), 'its own id'],
    ['is of another kind', `${good.slice(0, key.name.length + 10)}${encoded(2, key.publicKey)}`, 'an Ed25519 key'],
    ['is a byte too long', of(key.name, Uint8Array.of(...key.publicKey, 0)), 'an Ed25519 key'],
  ])('that %s is refused', (_, wrong, why) => {
    expect(parseKey(p.sha256, wrong)).toMatchObject({ code: 'KEY', message: expect.stringContaining(why) });
  });

  it('may have white space around it', () => {
    expect(parseKey(p.sha256, ` ${good}\n`)).toEqual(parseKey(p.sha256, good));
  });
});
