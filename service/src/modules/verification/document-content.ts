// The content of documents: what is taken in, and how it is sealed in parts under the client's key. The content is kept
// as it came; nothing reads it but who asks for the document.
import { refuse, said } from '../../core/refusal.ts';
import type { Database } from '../../platform/database.ts';
import { sha256 } from '../../platform/hashing.ts';
import type { Needs } from '../kernel/needs.ts';
import { openPersonal, type SealingKey, sealPersonal } from '../kernel/subjects.ts';
import { type ClientDocument, documentPlace, insertPart, personOf, readParts } from './verification-store.ts';

export const mostBytes = 10 << 20;
const partBytes = 1 << 20;

const beginsWith =
  (...start: readonly number[]) =>
  (bytes: Buffer): boolean =>
    bytes.subarray(0, start.length).equals(Buffer.from(start));

/** Whether the bytes are of the type that they are said to be. */
const isOf: Readonly<Record<ClientDocument['contentType'], (bytes: Buffer) => boolean>> = {
  'application/pdf': beginsWith(0x25, 0x50, 0x44, 0x46, 0x2d),
  'image/jpeg': beginsWith(0xff, 0xd8, 0xff),
  'image/png': beginsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  'text/plain': (bytes) => isText(bytes),
};

function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** @param content base64 @throws FIELD_INVALID */
export function readContent(content: string, contentType: ClientDocument['contentType']): Buffer {
  const bytes = Buffer.from(content, 'base64');
  // Node passes over what is no base64; only the canonical form is taken. No regular expression reads the content: in
  // a process that has compiled many of them V8 no longer optimizes them, and they end in a full stack after megabytes.
  if (bytes.toString('base64') !== content)
    throw refuse('FIELD_INVALID', "the field 'content' must be the file as base64, with its padding");
  if (bytes.length > mostBytes)
    throw refuse('FIELD_INVALID', "the field 'content' is too large: a document may have 10 MiB");
  if (!isOf[contentType](bytes))
    throw refuse(
      'FIELD_INVALID',
      said`the field 'content' is not ${contentType}; say in 'contentType' what the file is`,
    );
  return bytes;
}

export const sha256Of = (bytes: Uint8Array): string => Buffer.from(sha256(bytes)).toString('hex');

const partPlace = (d: ClientDocument, part: number): string => `${documentPlace(d.id)}/${part}`;

export async function storeContent(tx: Database, key: SealingKey, d: ClientDocument, bytes: Buffer): Promise<void> {
  for (let part = 0; part * partBytes < bytes.length; part++) {
    const piece = bytes.subarray(part * partBytes, (part + 1) * partBytes).toString('base64');
    await insertPart(tx, d, part, sealPersonal(key, piece, partPlace(d, part)));
  }
}

/** @returns undefined if the client was erased @throws an Error if what is stored is not what was added */
export async function openContent(
  s: Needs<'subjects'> & { readonly db: Database },
  d: ClientDocument,
): Promise<Buffer | undefined> {
  const id = personOf(d);
  const key = (await s.subjects.load(s.db, [id])).get(s.subjects.text(id));
  const pieces: Buffer[] = [];
  for (const [part, sealed] of (await readParts(s.db, d)).entries()) {
    const piece = openPersonal(key, sealed, partPlace(d, part));
    if (typeof piece !== 'string') return undefined;
    pieces.push(Buffer.from(piece, 'base64'));
  }
  const bytes = Buffer.concat(pieces);
  if (sha256Of(bytes) !== d.sha256) throw new Error(`the content of document ${d.id} is not what its hash says`);
  return bytes;
}
