// assay fx: loads published exchange rates, and lists them.
import { add, type Command, calendarDate, call, group, option, paged } from './command.ts';
import { loadFiles } from './load-files.ts';

export function exchangeCommands(program: Command): void {
  const fx = group(program, 'fx', 'published exchange rates for returns in another currency');
  add<{ from?: string }>(
    fx,
    'load <sources...>',
    'load published files: each a file, a folder of files, or an https address',
    [option('--from <date>', 'first day that is read; 2024-01-01 without it').argParser(calendarDate)],
    (out, { from }, ...sources) =>
      loadFiles(out, sources.flat(), {
        maxBytes: 10 << 20,
        refusedAs: 'RATES_INVALID',
        load: (session, file) => session.ask('loadExchangeRates', { ...file, from }),
        columns: [
          { title: 'Publisher', value: (d) => d.publisher },
          { title: 'From', value: (d) => d.from },
          { title: 'To', value: (d) => d.to },
          { title: 'Currencies', value: (d) => d.currencies, right: true },
          { title: 'Added', value: (d) => d.added, right: true },
          { title: 'Corrected', value: (d) => d.corrected, right: true },
          { title: 'In force already', value: (d) => d.unchanged, right: true },
          { title: 'Corrected since', value: (d) => d.correctedSince, right: true },
        ],
      }),
  );
  call(
    fx,
    'list',
    'list rates, the last day first',
    [
      option('--publisher <name>', 'only of this bank or authority: ECB, HMRC …'),
      option('--currency <code>', 'only of this currency'),
      option('--from <date>', 'first day', 'dayFrom').argParser(calendarDate),
      option('--to <date>', 'last day', 'dayTo').argParser(calendarDate),
      option('--former', 'rates that were corrected, too'),
      ...paged(50, 100_000),
    ],
    'listExchangeRates',
    {
      listed: true,
      fields: ({ former, ...given }) => ({ ...given, former: former === true ? 'true' : undefined }),
      show: (out, { items }) =>
        out.table(items, [
          { title: 'Publisher', value: (r) => r.publisher },
          { title: 'Day', value: (r) => (r.kind === 'MONTH' ? r.day.slice(0, 7) : r.day) },
          { title: 'Rate', value: (r) => quoted(r) },
          { title: 'Revision', value: (r) => r.revision, right: true },
          { title: 'Load', value: (r) => r.loadId },
        ]),
    },
  );
  call(
    fx,
    'publishers',
    'list whose files can be loaded, where they are, and what is stored',
    [],
    'listExchangePublishers',
    {
      show: (out, { items }) =>
        out.table(items, [
          { title: 'Publisher', value: (p) => p.publisher },
          { title: 'Name', value: (p) => p.name },
          { title: 'Base', value: (p) => p.base },
          { title: 'Last day', value: (p) => p.stored.map((s) => s.lastDay).join(', ') || null },
          { title: 'File', value: (p) => p.address ?? p.archive },
        ]),
    },
  );
}

interface Quoted {
  readonly per: string;
  readonly units: number;
  readonly rate: string;
  readonly currency: string;
  readonly base: string;
}

const quoted = (r: Quoted): string =>
  r.per === 'BASE'
    ? `${r.units} ${r.base} = ${r.rate} ${r.currency}`
    : `${r.units} ${r.currency} = ${r.rate} ${r.base}`;
