// Signed checkpoints (c2sp.org/signed-note, c2sp.org/tlog-checkpoint) and their verification keys.
import { type Bytes, equal, fromBase64, hex, join, sha256, utf8, webCrypto } from '../bytes.ts';
import { ReceiptError } from './flaw.ts';

export interface Checkpoint {
  /** Name of the log: the service's name and the PSP's id. */
  readonly origin: string;
  /** Number of entries covered. */
  readonly size: number;
  readonly root: Bytes;
}

interface Key {
  readonly name: string;
  readonly id: Bytes;
  readonly publicKey: Bytes;
}

const ed25519 = 1;
const soundName = (name: string) => name !== '' && !/[\s+\p{C}]/u.test(name);

/** A key as `name+id+key`, under this name. */
async function keyText(name: string, publicKey: Bytes): Promise<string> {
  const bytes = join(Uint8Array.of(ed25519), publicKey);
  const hash = await sha256(join(utf8(`${name}\n`), bytes));
  return `${name}+${hex(hash.slice(0, 4))}+${btoa(String.fromCharCode(...bytes))}`;
}

/** Reads a key written as `name+id+key` and checks it against its own id. */
async function readKey(text: string): Promise<Key> {
  const [, name, id, encoded] = /^([^+]*)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? [];
  const bytes = encoded === undefined ? undefined : fromBase64(encoded);
  if (name === undefined || !soundName(name) || bytes === undefined)
    throw new ReceiptError('KEY', 'the key is not written as name+id+key, as getAuditKey gives it');
  if (bytes[0] !== ed25519 || bytes.length !== 33) throw new ReceiptError('KEY', 'the key is not an Ed25519 key');
  const hash = await sha256(join(utf8(`${name}\n`), bytes));
  const own = hash.slice(0, 4);
  if (hex(own) !== id) throw new ReceiptError('KEY', 'the key does not match its own id: it was copied incompletely');
  return { name, id: own, publicKey: bytes.slice(1) };
}

interface Signature {
  readonly name: string;
  readonly keyId: Bytes;
  readonly signature: Bytes;
}

function readNote(note: string, what: string): { text: string; signatures: Signature[] } {
  const malformed = () =>
    new ReceiptError('FORM', `the ${what} is not a signed note: a text, a blank line, lines of signatures`);
  const end = note.lastIndexOf('\n\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note has none but its line ends
  if (end < 0 || !note.endsWith('\n') || /[\u0000-\u0009\u000b-\u001f]/.test(note)) throw malformed();
  const signatures = note
    .slice(end + 2, -1)
    .split('\n')
    .map((line): Signature => {
      const [, name, encoded] = /^— (\S+) (\S+)$/.exec(line) ?? [];
      const bytes = encoded === undefined ? undefined : fromBase64(encoded);
      if (name === undefined || bytes === undefined || bytes.length < 5 || !soundName(name)) throw malformed();
      return { name, keyId: bytes.slice(0, 4), signature: bytes.slice(4) };
    });
  return { text: note.slice(0, end + 1), signatures };
}

function readCheckpoint(text: string): Checkpoint {
  const [origin, size = '', root = '', ...rest] = text.split('\n');
  const hash = fromBase64(root);
  if (!origin || !/^(0|[1-9]\d*)$/.test(size) || hash?.length !== 32 || rest.at(-1) !== '')
    throw new ReceiptError('FORM', 'the checkpoint does not give a log, its size and its root');
  if (!Number.isSafeInteger(Number(size)))
    throw new ReceiptError('FORM', 'the size of the checkpoint is beyond reason');
  return { origin, size: Number(size), root: hash };
}

/**
 * The text of a note after checking its signature with this key.
 * @param what the note is, for messages
 * @throws ReceiptError
 */
export async function openNote(note: string, keyText: string, what: string): Promise<string> {
  return (await openSigned(note, keyText, what)).text;
}

async function openSigned(note: string, keyText: string, what: string): Promise<{ text: string; key: Key }> {
  const key = await readKey(keyText);
  const { text, signatures } = readNote(note, what);
  const own = signatures.find((s) => s.name === key.name && equal(s.keyId, key.id));
  if (!own) {
    const signers = signatures.map((s) => `${s.name} (${hex(s.keyId)})`).join(', ');
    throw new ReceiptError('KEY', `the ${what} is signed by ${signers}, not by ${key.name} (${hex(key.id)})`);
  }
  if (!(await holds(key.publicKey, utf8(text), own.signature)))
    throw new ReceiptError(
      'SIGNATURE',
      `the signature of the ${what} does not hold: the ${what} was altered or forged`,
    );
  return { text, key };
}

const changeHead = 'assay change of key 1';

/**
 * The key that took the place of the one that is held.
 * @param change the note of the held key among `former`, as getAuditKey gives it
 * @param key the key that is held
 * @throws ReceiptError if the note is not signed by both keys, or is of another key
 */
export async function nextKey(change: string, key: string): Promise<string> {
  const { name, publicKey } = await readKey(key);
  // The service has one key pair and signs the log of each PSP under that log's name; a change names the service alone.
  const held = await keyText(name.replace(/\/psp_[0-9a-z]+$/, ''), publicKey);
  const [head, json = ''] = (await openNote(change, held, 'change of key')).split('\n');
  if (head !== changeHead) throw new ReceiptError('FORM', 'this is not a change of key, or one of a later form');
  const { former, next } = JSON.parse(json) as { former: string; next: string };
  if (former !== held) throw new ReceiptError('KEY', `the change is one of the key ${former}, not of ${key}`);
  await openNote(change, next, 'change of key');
  return keyText(name, (await readKey(next)).publicKey);
}

/** Opens the checkpoint in a note after checking its signature with this key. */
export async function openCheckpoint(note: string, keyText: string): Promise<Checkpoint> {
  const { text, key } = await openSigned(note, keyText, 'checkpoint');
  const checkpoint = readCheckpoint(text);
  if (checkpoint.origin !== key.name)
    throw new ReceiptError('LOG', `the checkpoint is of the log ${checkpoint.origin}, the key of ${key.name}`);
  return checkpoint;
}

async function holds(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  const subtle = webCrypto();
  const algorithm = { name: 'Ed25519' };
  const key = await subtle.importKey('raw', publicKey, algorithm, false, ['verify']).catch((cause: unknown) => {
    if (cause instanceof Error && cause.name === 'NotSupportedError')
      throw new Error('this browser knows no Ed25519 signatures; use a newer one', { cause });
    // Some runtimes reject bytes that are not a curve point here, others only when verifying.
    return undefined;
  });
  return key !== undefined && (await subtle.verify(algorithm, key, signature, message));
}
