// assay list: loads lists to screen against, shows them, and searches names in them.
import type { Command } from 'commander';
import { Refusal, refuse } from '../../core/refusal.ts';
import { listPurposes } from '../../core/screening/entry.ts';
import { add, call, group, option, paged, wholeNumber } from './command.ts';
import { Unsound } from './exit-codes.ts';
import { condensedList } from './large-list.ts';
import { type Session, withSession } from './session.ts';
import { filesAt, type SourceFile } from './source-files.ts';

/** What the operation takes, less the escapes of JSON. */
const maxBytes = 40 << 20;

const asked = (session: Session, body: Record<string, unknown>) => session.ask('loadList', body);
type Loaded = Awaited<ReturnType<typeof asked>> | { readonly name: string; readonly refused: string };

interface Given {
  readonly list?: string;
  readonly purpose?: string;
  readonly threshold?: number;
  readonly allowShrink?: boolean;
}

export function listCommands(program: Command): void {
  const list = group(program, 'list', 'lists to screen clients and payments against');
  add<Given>(
    list,
    'load <sources...>',
    'load lists: each a file, a folder of files, or an https address',
    [
      option('--list <name>', 'name of the list, for a table in the plain form: OWN_BLOCK, PEP_NG'),
      option('--purpose <purpose>', `${listPurposes.join(', ')}; by the name of the list without it`),
      option('--threshold <percent>', 'score from which a name matches').argParser(wholeNumber(50, 100)),
      option('--allow-shrink', 'accept a file with fewer than half of the entries in force'),
    ],
    async (out, given, ...sources) => {
      const files: SourceFile[] = [];
      for (const source of sources.flat()) files.push(...(await filesAt(out.around, source, maxBytes, condensedList)));
      const done = await withSession(out, async (session) => {
        const all: Loaded[] = [];
        for (const file of files) all.push(await loaded(session, { ...file, ...given }));
        return all;
      });
      const [only, ...others] = done;
      if (only && others.length === 0 && 'refused' in only) throw refuse('LIST_INVALID', only.refused);
      const refused = done.flatMap((d) => ('refused' in d ? [d.refused] : []));
      out.result({ files: done }, () => {
        out.table(
          [
            { title: 'File', value: (d) => d.name },
            { title: 'List', value: (d) => ('refused' in d ? 'refused' : d.list) },
            { title: 'Published', value: (d) => ('refused' in d ? null : d.published) },
            { title: 'Entries', value: (d) => ('refused' in d ? null : d.entries), right: true },
            { title: 'Added', value: (d) => ('refused' in d ? null : d.added), right: true },
            { title: 'Changed', value: (d) => ('refused' in d ? null : d.changed), right: true },
            { title: 'Removed', value: (d) => ('refused' in d ? null : d.removed), right: true },
          ],
          done,
        );
        for (const why of refused) out.remark(why);
      });
      if (refused.length > 0) throw new Unsound(`${refused.length} of ${done.length} files were refused`);
    },
  );
  call(list, 'show', 'show the lists that are screened against', [], 'listLists', {
    show: (out, { items }) =>
      out.table(
        [
          { title: 'List', value: (l) => l.list },
          { title: 'Purpose', value: (l) => l.purpose },
          { title: 'For', value: (l) => (l.shared ? 'all PSPs' : 'own') },
          { title: 'Published', value: (l) => l.published },
          { title: 'Entries', value: (l) => l.entries, right: true },
          { title: 'Threshold', value: (l) => l.threshold, right: true },
          { title: 'Loaded', value: (l) => l.loadedAt },
        ],
        items,
      ),
  });
  call(list, 'entries <list>', 'list the entries of a list', paged(50, 200_000), 'listListEntries', {
    listed: true,
    show: (out, { items }) =>
      out.table(
        [
          { title: 'Ref', value: (e) => e.ref },
          { title: 'Kind', value: (e) => e.kind },
          { title: 'Name', value: (e) => e.names[0]?.name ?? e.keys.map((k) => `${k.kind}:${k.value}`).join(' ') },
          { title: 'Born', value: (e) => e.births.join(', ') || null },
          { title: 'Countries', value: (e) => e.countries.join(', ') || null },
        ],
        items,
      ),
  });
  call(
    list,
    'search <name>',
    'search a name in the lists: what matches, and why',
    [
      option('--born <date>', 'date of birth: 1970, 1970-05 or 1970-05-12'),
      option('--country <code>', 'its country', 'countryCode'),
      option('--threshold <percent>', 'least score, without it that of each list').argParser(wholeNumber(50, 100)),
    ],
    'searchLists',
    {
      remark: ({ items }) => (items.length === 0 ? 'no entry matches' : undefined),
      show: (out, { items }) =>
        out.table(
          [
            { title: 'Score', value: (m) => m.score, right: true },
            { title: 'List', value: (m) => m.list },
            { title: 'Ref', value: (m) => m.entry.ref },
            { title: 'Name', value: (m) => m.name },
            { title: 'Born', value: (m) => m.entry.births.join(', ') || null },
            { title: 'Countries', value: (m) => m.entry.countries.join(', ') || null },
            { title: 'Why', value: (m) => m.fields.map((f) => `${f.field} ${f.score}`).join(', ') },
          ],
          items,
        ),
    },
  );
}

async function loaded(session: Session, file: SourceFile & Given): Promise<Loaded> {
  try {
    return await asked(session, { ...file });
  } catch (e) {
    if (e instanceof Refusal && e.code === 'LIST_INVALID') return { name: file.name, refused: e.message };
    throw e;
  }
}
