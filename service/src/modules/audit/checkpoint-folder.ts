// Checkpoints outside the database: a folder per log, with an append-only file per month, each checkpoint flushed to
// disk before the next. Rewriting the database does not rewrite these, nor copies kept elsewhere.
import { createReadStream } from 'node:fs';
import { appendFile, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Flaw } from '../../core/audit/flaw.ts';
import { type Checkpoint, parseCheckpoint, parseNote } from '../../core/audit/note.ts';
import { fromWire, type PspId, toWire } from '../../core/ids.ts';

/** One checkpoint in a file: the note, or the text found in its place. */
export interface KeptCheckpoint {
  /** The file and line where it begins. */
  readonly at: string;
  readonly note: string;
  readonly checkpoint: Checkpoint | Flaw;
}

const monthFile = /^\d{4}-\d{2}\.notes$/;
/** Begins a record: the time it was added, which is not signed. */
const mark = '= ';
/** Bytes at a file's end that are certain to contain its last records. */
const endBytes = 65_536;

const orNone = (e: unknown): [] => {
  if ((e as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw e;
};

export class CheckpointFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  folderOf(psp: PspId): string {
    return join(this.path, toWire('psp', psp));
  }

  /** PSPs with a folder here. */
  async psps(): Promise<string[]> {
    return (await readdir(this.path).catch(orNone)).flatMap((n) => fromWire('psp', n) ?? []);
  }

  /** Appends a checkpoint; it is on disk when this resolves. @param at ISO time; its month names the file */
  async append(psp: PspId, note: string, at: string): Promise<void> {
    await mkdir(this.folderOf(psp), { recursive: true });
    // The leading line feed ends a record that a crash left incomplete.
    await appendFile(join(this.folderOf(psp), `${at.slice(0, 7)}.notes`), `\n${mark}${at}\n${note}`, { flush: true });
  }

  /** The last complete checkpoint. */
  async last(psp: PspId): Promise<Checkpoint | undefined> {
    for (const file of (await this.#files(psp)).reverse()) {
      const start = Math.max(0, (await stat(file)).size - endBytes);
      let last: Checkpoint | undefined;
      // If the read starts within a record, the text before the next mark is ignored.
      for await (const { checkpoint } of recordsOf(file, start)) if (!(checkpoint instanceof Flaw)) last = checkpoint;
      if (last) return last;
    }
    return undefined;
  }

  /** All checkpoints of a log, in the order they were added. */
  async *read(psp: PspId): AsyncGenerator<KeptCheckpoint> {
    for (const file of await this.#files(psp)) yield* recordsOf(file, 0);
  }

  /** A log's files, oldest first. */
  async #files(psp: PspId): Promise<string[]> {
    const names = await readdir(this.folderOf(psp)).catch(orNone);
    return names
      .filter((n) => monthFile.test(n))
      .sort()
      .map((n) => join(this.folderOf(psp), n));
  }
}

async function* recordsOf(file: string, start: number): AsyncGenerator<KeptCheckpoint> {
  let record: { line: number; lines: string[] } | undefined;
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file, { encoding: 'utf8', start }) })) {
    line++;
    if (text.startsWith(mark)) {
      if (record) yield kept(`${file}:${record.line}`, record.lines);
      record = { line, lines: [] };
    } else record?.lines.push(text);
  }
  if (record) yield kept(`${file}:${record.line}`, record.lines);
}

function kept(at: string, lines: readonly string[]): KeptCheckpoint {
  const note = `${lines.join('\n').trimEnd()}\n`;
  const parsed = parseNote(note);
  return { at, note, checkpoint: parsed instanceof Flaw ? parsed : parseCheckpoint(parsed.text) };
}
