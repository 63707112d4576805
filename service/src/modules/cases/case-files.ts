// Files of cases: what may be one, and how its content is sealed, stored and read again. Content is stored before the
// item that names it: without an item nobody finds it, and its item holds the hash.
import { createHash } from 'node:crypto';
import type { Case } from '../../core/cases/case.ts';
import { refuse, said } from '../../core/refusal.ts';
import type { Needs } from '../kernel/needs.ts';
import { recordIn } from '../kernel/record-in.ts';
import { openPersonal, sealPersonal } from '../kernel/subjects.ts';
import { type CaseItem, insertFile, readFile } from './case-store.ts';
import { type CaseNeeds, subjectOf } from './change-case.ts';

export const fileTypes = ['application/pdf', 'image/png', 'image/jpeg', 'text/plain', 'text/csv'] as const;
type FileType = (typeof fileTypes)[number];

const mostBytes = 10 << 20;

const beginnings: Readonly<Partial<Record<FileType, Buffer>>> = {
  'application/pdf': Buffer.from('%PDF-'),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
};

export interface CaseFile {
  readonly type: FileType;
  readonly bytes: Buffer;
  readonly sha256: string;
}

const isText = (bytes: Buffer): boolean => {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0');
  } catch {
    return false;
  }
};

/** @throws FIELD_INVALID if it is not base64, too large, or of another type than it says */
export function readContent({ type, content }: { readonly type: FileType; readonly content: string }): CaseFile {
  const bytes = Buffer.from(content, 'base64');
  if (bytes.toString('base64') !== content) throw refuse('FIELD_INVALID', "the field 'content' must be base64");
  if (bytes.length > mostBytes) throw refuse('FIELD_INVALID', 'the file is larger than 10 MiB');
  const begins = beginnings[type];
  if (begins ? !bytes.subarray(0, begins.length).equals(begins) : !isText(bytes))
    throw refuse(
      'FIELD_INVALID',
      said`the content is not ${begins ? type : said`text in UTF-8`}, as the field 'type' says`,
    );
  return { type, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

const place = (id: string) => `case_files/${id}`;

/** @returns the id of its item, and whether the case has the file already */
export async function storeFile(
  s: CaseNeeds,
  c: Case,
  items: readonly CaseItem[],
  file: CaseFile,
): Promise<{ id: string; known: boolean }> {
  const there = items.findLast((i) => i.kind === 'FILE' && i.content.sha256 === file.sha256);
  // What was erased is stored once more.
  if (there && (await openFile(s, there))) return { id: there.id, known: true };
  return { id: await sealFile(s, c, file.bytes), known: false };
}

/** Stores content for an item that is recorded next. @returns the item's id */
export async function sealFile(s: CaseNeeds, c: Case, bytes: Buffer): Promise<string> {
  const id = s.ids.next();
  const subject = subjectOf(c);
  await s.db.transaction(async (tx) => {
    const key = (await s.subjects.load(tx, [subject])).get(s.subjects.text(subject));
    if (!key) throw new Error('a person has a key or gets one');
    await insertFile(tx, c.psp, id, sealPersonal(key, bytes.toString('base64'), place(id)));
    // A new key, such as the first after an erasure, is stored with what it seals.
    const subjects = key.fresh ? [key.fresh] : [];
    await recordIn(tx, s, { rows: [], subjects, erasures: [{ psp: key.psp, epoch: key.epoch }] });
  });
  return id;
}

/** Its bytes; undefined if the person it was sealed for was erased. */
export async function openFile(s: Needs<'db' | 'subjects'>, item: CaseItem): Promise<Buffer | undefined> {
  const sealed = await readFile(s.db, item.psp, item.id);
  if (sealed === undefined || item.subject === null) return undefined;
  const id = { psp: item.psp, subject: item.subject };
  const key = (await s.subjects.load(s.db, [id])).get(s.subjects.text(id));
  const content = openPersonal(key, sealed, place(item.id));
  return typeof content === 'string' ? Buffer.from(content, 'base64') : undefined;
}
