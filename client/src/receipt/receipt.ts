// Checks a receipt in a browser or any runtime with Web Crypto, without contacting the service.
// docs/reference/receipt-format.md describes every byte; the service checks receipts with separate code on purpose.
import { type Bytes, fromBase64, utf8 } from '../bytes.ts';
import { type Checkpoint, openCheckpoint } from './checkpoint.ts';
import { ReceiptError } from './flaw.ts';
import { isIncluded, leafHash } from './inclusion.ts';

/** A journal entry: UUIDs in lower case, the exact text of the body. */
export interface SealedEntry {
  readonly psp: string;
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  readonly account: string;
  readonly resource: string;
  readonly body: string;
}

export interface VerifiedReceipt {
  readonly checkpoint: Checkpoint;
  readonly entries: readonly SealedEntry[];
}

interface Receipt {
  readonly entries: readonly { readonly entry: SealedEntry; readonly proof: readonly string[] }[];
  readonly checkpoint: string;
}

const format = 'assay-receipt/v1';
const leafFormat = 'assay-journal-entry/v1';

/**
 * Checks a receipt against the key of its PSP's log.
 * @param value the receipt as returned by getReceipt, or the parsed JSON of a file that holds one
 * @param key as returned by getAuditKey, obtained from a trusted source
 * @throws ReceiptError if the receipt is not valid
 */
export async function verifyReceipt(value: unknown, key: string): Promise<VerifiedReceipt> {
  const receipt = readReceipt(value);
  const checkpoint = await openCheckpoint(receipt.checkpoint, key);
  for (const { entry, proof } of receipt.entries) {
    if (!checkpoint.origin.endsWith(`/${pspId(entry.psp)}`))
      throw new ReceiptError('LOG', `entry ${entry.seq} is of another PSP than the log ${checkpoint.origin}`);
    if (entry.seq > checkpoint.size)
      throw new ReceiptError('SIZE', `entry ${entry.seq} is not covered by a checkpoint of ${checkpoint.size} entries`);
    const hashes = proof.map(fromBase64);
    if (!hashes.every((h): h is Bytes => h?.length === 32))
      throw new ReceiptError('FORM', `the proof of entry ${entry.seq} is malformed`);
    const leaf = await leafHash(leafBytes(entry));
    if (!(await isIncluded(leaf, entry.seq - 1, checkpoint.size, hashes, checkpoint.root)))
      throw new ReceiptError('PROOF', `entry ${entry.seq} is not what was sealed: the entry or its proof was altered`);
  }
  return { checkpoint, entries: receipt.entries.map((e) => e.entry) };
}

const leafBytes = (e: SealedEntry): Bytes =>
  utf8([leafFormat, e.psp, e.seq, e.id, e.kind, e.account, e.resource, e.body].join('\n'));

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** `psp_…`: the UUID's 128 bits in Crockford's base32, as typeid.dev describes it. */
function pspId(uuid: string): string {
  let bits = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let letters = '';
  for (let i = 0; i < 26; i++) {
    letters = alphabet[Number(bits & 31n)] + letters;
    bits >>= 5n;
  }
  return `psp_${letters}`;
}

const isRecord = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null;

function readReceipt(value: unknown): Receipt {
  const r = isRecord(value) && isRecord(value.content) ? value.content : value;
  if (!isRecord(r)) throw new ReceiptError('FORM', 'this is not a receipt');
  if (r.format !== format)
    throw new ReceiptError('FORM', `this is not a receipt of the form ${format}, the one that is understood here`);
  if (typeof r.checkpoint !== 'string') throw new ReceiptError('FORM', 'the receipt has no checkpoint');
  if (!Array.isArray(r.entries) || r.entries.length === 0) throw new ReceiptError('FORM', 'the receipt has no entries');
  let before: SealedEntry | undefined;
  for (const item of r.entries as unknown[]) {
    const { entry: e, proof } = isRecord(item) ? item : {};
    if (!isEntry(e) || !Array.isArray(proof) || proof.some((h) => typeof h !== 'string'))
      throw new ReceiptError('FORM', 'an entry of the receipt lacks a part of it or has one of the wrong form');
    if (before && (before.psp !== e.psp || before.resource !== e.resource || before.seq >= e.seq))
      throw new ReceiptError('ENTRY', `entry ${e.seq} does not follow entry ${before.seq} of the same record`);
    before = e;
  }
  return r as unknown as Receipt;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const isEntry = (e: unknown): e is SealedEntry =>
  isRecord(e) &&
  [e.psp, e.id, e.account, e.resource].every((v) => typeof v === 'string' && uuid.test(v)) &&
  Number.isSafeInteger(e.seq) &&
  (e.seq as number) > 0 &&
  // A line feed here would let two entries have the same bytes.
  typeof e.kind === 'string' &&
  /^[a-z_.]+$/.test(e.kind) &&
  typeof e.body === 'string';
