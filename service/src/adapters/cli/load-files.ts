// Loads published files one after another. A file that is refused is a row among others, and an error if it is alone.
import { Refusal, type RefusalCode, refuse } from '../../core/refusal.ts';
import { Unsound } from './exit-codes.ts';
import type { Column, Output } from './output.ts';
import { type Session, withSession } from './session.ts';
import { type Condense, filesAt, type SourceFile } from './source-files.ts';

interface Loading<L> {
  /** What the operation takes, less the escapes of JSON. */
  readonly maxBytes: number;
  readonly condense?: Condense;
  readonly refusedAs: RefusalCode;
  readonly load: (session: Session, file: SourceFile) => Promise<L>;
  /** Besides the file's name. The first says so if the file was refused. */
  readonly columns: readonly Column<L>[];
}

/** @param sources files, folders of files, or https addresses */
export async function loadFiles<L extends object>(out: Output, sources: readonly string[], how: Loading<L>) {
  const files: SourceFile[] = [];
  for (const source of sources) files.push(...(await filesAt(out.around, source, how.maxBytes, how.condense)));
  const done = await withSession(out, async (session) => {
    const all: (L | { readonly name: string; readonly refused: string })[] = [];
    for (const file of files)
      all.push(
        await how.load(session, file).catch((e: unknown) => {
          if (e instanceof Refusal && e.code === how.refusedAs) return { name: file.name, refused: e.message };
          throw e;
        }),
      );
    return all;
  });
  const refused = done.flatMap((d) => ('refused' in d ? [d.refused] : []));
  const [only] = refused;
  if (only !== undefined && done.length === 1) throw refuse(how.refusedAs, only);
  const columns = how.columns.map((c, i) => ({
    ...c,
    value: (d: (typeof done)[number]) => ('refused' in d ? (i === 0 ? 'refused' : null) : c.value(d)),
  }));
  out.result({ files: done }, () => {
    out.table(done, [{ title: 'File', value: (d) => ('name' in d ? d.name : null) }, ...columns]);
    for (const why of refused) out.remark(why);
  });
  if (refused.length > 0) throw new Unsound(`${refused.length} of ${done.length} files were refused`);
}
