// Receipts: journal entries, the path from each to a signed checkpoint, and the check of both. Needs only the receipt
// and the log's key, so that a third party can check without the service; also runs in a browser.
// docs/reference/receipt-format.md describes every byte.
import { type PspId, toWire } from '../ids.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { Flaw } from './flaw.ts';
import { type Hash, leafHash, type Sha256, verifyInclusion } from './merkle.ts';
import { type Checkpoint, openCheckpoint, type Primitives, parseKey } from './note.ts';

/** A journal entry as stored: UUIDs in lower case, the exact text of the body. */
export interface SealedEntry {
  readonly psp: PspId;
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  readonly account: string;
  readonly resource: string;
  readonly body: string;
}

export const receiptFormat = 'assay-receipt/v1';
/** First line of what is hashed; another encoding would use another. */
export const leafFormat = 'assay-journal-entry/v1';

export interface Receipt {
  readonly format: string;
  readonly entries: readonly { readonly entry: SealedEntry; readonly proof: readonly string[] }[];
  /** A signed note. */
  readonly checkpoint: string;
  readonly portion?: PortionProof | undefined;
}

/** For a call detail record from a file: what links the record to the entry of its chunk. */
export interface PortionProof {
  readonly record: string;
  /** The exact text that was recorded. */
  readonly text: string;
  /** One line per record of the chunk, in order: id, `cdr_id` and SHA-256 of the text, separated by spaces. */
  readonly records: readonly string[];
}

export interface VerifiedReceipt {
  readonly checkpoint: Checkpoint;
  readonly entries: readonly SealedEntry[];
  /** The call detail record in the chunk the entry holds. */
  readonly portion?: PortionProof;
}

const utf8 = new TextEncoder();

/** The bytes that are hashed for an entry. */
export const leafBytes = (e: SealedEntry): Uint8Array =>
  utf8.encode([leafFormat, e.psp, e.seq, e.id, e.kind, e.account, e.resource, e.body].join('\n'));

export const entryHash = (sha256: Sha256, e: SealedEntry): Hash => leafHash(sha256, leafBytes(e));

/** Name of a PSP's log: the service's name and the PSP's id. */
export const originOf = (name: string, psp: PspId): string => `${name}/${toWire('psp', psp)}`;

/** The service's name in that of a log. */
export const serviceOf = (origin: string): string => origin.replace(/\/psp_[0-9a-z]+$/, '');

export const makeReceipt = (
  entries: readonly { readonly entry: SealedEntry; readonly proof: readonly Hash[] }[],
  checkpoint: string,
  portion?: PortionProof,
): Receipt => ({
  format: receiptFormat,
  entries: entries.map(({ entry, proof }) => ({ entry, proof: proof.map(toBase64) })),
  checkpoint,
  ...(portion && { portion }),
});

/**
 * Checks a receipt against the key of its PSP's log.
 * @param value the parsed JSON of a receipt, with or without the response envelope
 * @param key as returned by GET /v1/audit/key, obtained from a trusted source
 */
export function verifyReceipt(value: unknown, key: string, p: Primitives): VerifiedReceipt | Flaw {
  const parsedKey = parseKey(p.sha256, key);
  if (parsedKey instanceof Flaw) return parsedKey;
  const receipt = readReceipt(value);
  if (receipt instanceof Flaw) return receipt;
  const checkpoint = openCheckpoint(receipt.checkpoint, parsedKey, p);
  if (checkpoint instanceof Flaw) return checkpoint;
  for (const { entry, proof } of receipt.entries) {
    if (!checkpoint.origin.endsWith(`/${toWire('psp', entry.psp)}`))
      return new Flaw('LOG', `entry ${entry.seq} is of another PSP than the log ${checkpoint.origin}`);
    if (entry.seq > checkpoint.size)
      return new Flaw('SIZE', `entry ${entry.seq} is not covered by a checkpoint of ${checkpoint.size} entries`);
    const hashes = proof.map(fromBase64);
    if (hashes.some((h) => h?.length !== 32)) return new Flaw('FORM', `the proof of entry ${entry.seq} is malformed`);
    const leaf = entryHash(p.sha256, entry);
    if (!verifyInclusion(p.sha256, leaf, entry.seq - 1, checkpoint.size, hashes as Hash[], checkpoint.root))
      return new Flaw('PROOF', `entry ${entry.seq} is not what was sealed: the entry or its proof was altered`);
  }
  const entries = receipt.entries.map((e) => e.entry);
  if (!receipt.portion) return { checkpoint, entries };
  const flaw = flawOfPortion(p.sha256, entries, receipt.portion);
  return flaw ?? { checkpoint, entries, portion: receipt.portion };
}

const sha256Hex = (sha256: Sha256, text: string) =>
  [...sha256(utf8.encode(text))].map((b) => b.toString(16).padStart(2, '0')).join('');

/** Why a record is not one of those whose hashes the chunk's sealed entry holds; undefined if it is. */
function flawOfPortion(sha256: Sha256, [entry, ...others]: readonly SealedEntry[], p: PortionProof): Flaw | undefined {
  if (entry?.kind !== 'cdr.file_portion' || others.length > 0)
    return new Flaw('ENTRY', 'the receipt has a portion, and its entry is not that of one');
  const body = JSON.parse(entry.body) as { schema?: unknown; data: { recordsSha256?: unknown } };
  if (body.schema !== undefined && body.schema !== 'cdr.file_portion/1')
    return new Flaw('FORM', `entry ${entry.seq} is of the schema ${body.schema}, which is not understood here`);
  const { recordsSha256 } = body.data;
  if (sha256Hex(sha256, p.records.map((line) => `${line}\n`).join('')) !== recordsSha256)
    return new Flaw('PROOF', `the records listed are not those of the portion in entry ${entry.seq}`);
  const content = sha256Hex(sha256, p.text);
  return p.records.some((line) => line.startsWith(`${p.record} `) && line.endsWith(` ${content}`))
    ? undefined
    : new Flaw('PROOF', `the record is not one of the portion in entry ${entry.seq}, or its text was altered`);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const isRecord = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null;

function readReceipt(value: unknown): Receipt | Flaw {
  const r = isRecord(value) && isRecord(value.content) ? value.content : value;
  if (!isRecord(r)) return new Flaw('FORM', 'this is not a receipt');
  if (r.format !== receiptFormat)
    return new Flaw('FORM', `this is not a receipt of the form ${receiptFormat}, the one that is understood here`);
  if (typeof r.checkpoint !== 'string') return new Flaw('FORM', 'the receipt has no checkpoint');
  if (!Array.isArray(r.entries) || r.entries.length === 0) return new Flaw('FORM', 'the receipt has no entries');
  let before: SealedEntry | undefined;
  for (const item of r.entries as unknown[]) {
    const e = isRecord(item) ? item.entry : undefined;
    if (!isEntry(e) || !isRecord(item) || !Array.isArray(item.proof) || item.proof.some((h) => typeof h !== 'string'))
      return new Flaw('FORM', 'an entry of the receipt lacks a part of it or has one of the wrong form');
    if (before && (before.psp !== e.psp || before.resource !== e.resource || before.seq >= e.seq))
      return new Flaw('ENTRY', `entry ${e.seq} does not follow entry ${before.seq} of the same record`);
    before = e;
  }
  if (r.portion !== undefined && !isPortion(r.portion))
    return new Flaw('FORM', 'the portion of the receipt lacks a part of it or has one of the wrong form');
  return r as unknown as Receipt;
}

function isEntry(e: unknown): e is SealedEntry {
  return (
    isRecord(e) &&
    [e.psp, e.id, e.account, e.resource].every((v) => typeof v === 'string' && uuid.test(v)) &&
    Number.isSafeInteger(e.seq) &&
    (e.seq as number) > 0 &&
    // A line feed here would let two entries have the same bytes.
    typeof e.kind === 'string' &&
    /^[a-z_.]+$/.test(e.kind) &&
    typeof e.body === 'string'
  );
}

function isPortion(v: unknown): v is PortionProof {
  // A line feed in a line would let two lists have the same bytes.
  const isLine = (l: unknown) => typeof l === 'string' && !l.includes('\n');
  return (
    isRecord(v) &&
    typeof v.record === 'string' &&
    uuid.test(v.record) &&
    typeof v.text === 'string' &&
    Array.isArray(v.records) &&
    v.records.every(isLine)
  );
}
