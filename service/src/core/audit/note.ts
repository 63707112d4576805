// Signed notes and checkpoints as specified by C2SP (c2sp.org/signed-note, c2sp.org/tlog-checkpoint): a text, a blank
// line, and lines with Ed25519 signatures; a checkpoint is a note with a log's size and root.
import { fromBase64, toBase64 } from './base64.ts';
import { Flaw } from './flaw.ts';
import { equal, type Hash, type Sha256 } from './merkle.ts';

/** The two primitives, provided by the caller. */
export interface Primitives {
  readonly sha256: Sha256;
  /** @param publicKey 32 bytes; @returns false also if it is not a valid key */
  readonly verifyEd25519: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;
}

export interface VerifierKey {
  readonly name: string;
  /** First four bytes of the hash of name and key. */
  readonly id: Uint8Array;
  readonly publicKey: Uint8Array;
}

export interface Checkpoint {
  readonly origin: string;
  /** Number of entries. */
  readonly size: number;
  readonly root: Hash;
}

interface NoteSignature {
  readonly name: string;
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
}

export interface Note {
  /** The signed text, including its final newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

const ed25519 = 1;
const utf8 = new TextEncoder();
const soundName = (name: string) => name !== '' && !/[\s+\p{C}]/u.test(name);
const hex = (bytes: Uint8Array) => [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');

export function verifierKey(sha256: Sha256, name: string, publicKey: Uint8Array): VerifierKey {
  const hashed = sha256(Uint8Array.of(...utf8.encode(name), 10, ed25519, ...publicKey));
  return { name, id: hashed.slice(0, 4), publicKey };
}

/** `name+id+key`, the text form in which a key is published. */
export const formatKey = (k: VerifierKey): string =>
  `${k.name}+${hex(k.id)}+${toBase64(Uint8Array.of(ed25519, ...k.publicKey))}`;

export function parseKey(sha256: Sha256, text: string): VerifierKey | Flaw {
  const [, name, id, encoded] = /^([^+]*)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? [];
  const bytes = encoded === undefined ? undefined : fromBase64(encoded);
  if (name === undefined || id === undefined || !soundName(name) || bytes === undefined)
    return new Flaw('KEY', 'the key is not written as name+id+key, as GET /v1/audit/key gives it');
  if (bytes[0] !== ed25519 || bytes.length !== 33) return new Flaw('KEY', 'the key is not an Ed25519 key');
  const key = verifierKey(sha256, name, bytes.slice(1));
  return hex(key.id) === id ? key : new Flaw('KEY', 'the key does not match its own id: it was copied incompletely');
}

export const checkpointText = (c: Checkpoint): string => `${c.origin}\n${c.size}\n${toBase64(c.root)}\n`;

/** @param sign signs these bytes with the private key of `key` */
export function signNote(text: string, key: VerifierKey, sign: (message: Uint8Array) => Uint8Array): string {
  if (!text.endsWith('\n') || !soundName(key.name))
    throw new Error('neither text nor name may break the lines of a note');
  return `${text}\n${signatureLine(text, key, sign)}`;
}

/** A line that may follow those of a note of this text. */
export const signatureLine = (text: string, key: VerifierKey, sign: (message: Uint8Array) => Uint8Array): string =>
  `— ${key.name} ${toBase64(Uint8Array.of(...key.id, ...sign(utf8.encode(text))))}\n`;

/** @param what the note is, for messages */
export function parseNote(note: string, what = 'checkpoint'): Note | Flaw {
  const malformed = new Flaw('FORM', `the ${what} is not a signed note: a text, a blank line, lines of signatures`);
  const end = note.lastIndexOf('\n\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note has none but its line ends
  if (end < 0 || !note.endsWith('\n') || /[\u0000-\u0009\u000b-\u001f]/.test(note)) return malformed;
  const signatures: NoteSignature[] = [];
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const [, name, encoded] = /^— (\S+) (\S+)$/.exec(line) ?? [];
    const bytes = encoded === undefined ? undefined : fromBase64(encoded);
    if (name === undefined || bytes === undefined || bytes.length < 5 || !soundName(name)) return malformed;
    signatures.push({ name, keyId: bytes.slice(0, 4), signature: bytes.slice(4) });
  }
  return { text: note.slice(0, end + 1), signatures };
}

export function parseCheckpoint(text: string): Checkpoint | Flaw {
  const [origin, size, root, ...rest] = text.split('\n');
  const hash = fromBase64(root ?? '');
  if (!origin || !/^(0|[1-9]\d*)$/.test(size ?? '') || hash?.length !== 32 || rest.at(-1) !== '')
    return new Flaw('FORM', 'the checkpoint does not give a log, its size and its root');
  if (!Number.isSafeInteger(Number(size))) return new Flaw('FORM', 'the size of the checkpoint is beyond reason');
  return { origin, size: Number(size), root: hash };
}

/**
 * The text of a note, which must be signed by this key.
 * @param what the note is, for messages
 */
export function openNote(note: string, key: VerifierKey, p: Primitives, what = 'checkpoint'): string | Flaw {
  const parsed = parseNote(note, what);
  if (parsed instanceof Flaw) return parsed;
  const own = parsed.signatures.find((s) => s.name === key.name && equal(s.keyId, key.id));
  if (!own) {
    const signers = parsed.signatures.map((s) => `${s.name} (${hex(s.keyId)})`).join(', ');
    return new Flaw('KEY', `the ${what} is signed by ${signers}, not by ${key.name} (${hex(key.id)})`);
  }
  return p.verifyEd25519(key.publicKey, utf8.encode(parsed.text), own.signature)
    ? parsed.text
    : new Flaw('SIGNATURE', `the signature of the ${what} does not hold: the ${what} was altered or forged`);
}

/** Opens a checkpoint; its signature must be valid for this key and its log must be the key's. */
export function openCheckpoint(note: string, key: VerifierKey, p: Primitives): Checkpoint | Flaw {
  const text = openNote(note, key, p);
  if (text instanceof Flaw) return text;
  const checkpoint = parseCheckpoint(text);
  if (checkpoint instanceof Flaw) return checkpoint;
  return checkpoint.origin === key.name
    ? checkpoint
    : new Flaw('LOG', `the checkpoint is of the log ${checkpoint.origin}, the key of ${key.name}`);
}
