// assay list: loads lists to screen against, shows them, and searches names in them.
import { listPurposes } from '../../core/screening/entry.ts';
import { add, type Command, call, group, option, paged, wholeNumber } from './command.ts';
import { condensedList } from './large-list.ts';
import { loadFiles } from './load-files.ts';

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
    (out, given, ...sources) =>
      loadFiles(out, sources.flat(), {
        maxBytes: 40 << 20,
        condense: condensedList,
        refusedAs: 'LIST_INVALID',
        load: (session, file) => session.ask('loadList', { ...file, ...given }),
        columns: [
          { title: 'List', value: (d) => d.list },
          { title: 'Published', value: (d) => d.published },
          { title: 'Entries', value: (d) => d.entries, right: true },
          { title: 'Added', value: (d) => d.added, right: true },
          { title: 'Changed', value: (d) => d.changed, right: true },
          { title: 'Removed', value: (d) => d.removed, right: true },
        ],
      }),
  );
  call(list, 'show', 'show the lists that are screened against', [], 'listLists', {
    show: (out, { items }) =>
      out.table(items, [
        { title: 'List', value: (l) => l.list },
        { title: 'Purpose', value: (l) => l.purpose },
        { title: 'For', value: (l) => (l.shared ? 'all PSPs' : 'own') },
        { title: 'Published', value: (l) => l.published },
        { title: 'Entries', value: (l) => l.entries, right: true },
        { title: 'Threshold', value: (l) => l.threshold, right: true },
        { title: 'Loaded', value: (l) => l.loadedAt },
      ]),
  });
  call(list, 'entries <list>', 'list the entries of a list', paged(50, 200_000), 'listListEntries', {
    listed: true,
    show: (out, { items }) =>
      out.table(items, [
        { title: 'Ref', value: (e) => e.ref },
        { title: 'Kind', value: (e) => e.kind },
        { title: 'Name', value: (e) => e.names[0]?.name ?? e.keys.map((k) => `${k.kind}:${k.value}`).join(' ') },
        { title: 'Born', value: (e) => e.births.join(', ') || null },
        { title: 'Countries', value: (e) => e.countries.join(', ') || null },
      ]),
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
        out.table(items, [
          { title: 'Score', value: (m) => m.score, right: true },
          { title: 'List', value: (m) => m.list },
          { title: 'Ref', value: (m) => m.entry.ref },
          { title: 'Name', value: (m) => m.name },
          { title: 'Born', value: (m) => m.entry.births.join(', ') || null },
          { title: 'Countries', value: (m) => m.entry.countries.join(', ') || null },
          { title: 'Why', value: (m) => m.fields.map((f) => `${f.field} ${f.score}`).join(', ') },
        ]),
    },
  );
}
