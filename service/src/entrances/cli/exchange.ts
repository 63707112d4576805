// assay fx: loads published exchange rates, and lists them.
import type { Command } from 'commander';
import { Refusal, refuse } from '../../core/refusal.ts';
import { add, calendarDate, call, type Field, group, option, paged } from './command.ts';
import { Unsound } from './exit-codes.ts';
import { type Session, withSession } from './session.ts';
import { filesAt, type SourceFile } from './source-files.ts';

/** What the operation takes, less the escapes of JSON. */
const maxBytes = 10 << 20;

const asked = (session: Session, body: Record<string, unknown>) => session.ask('loadExchangeRates', body);
type Loaded = Awaited<ReturnType<typeof asked>> | { readonly name: string; readonly refused: string };

export function exchangeCommands(program: Command): void {
  const fx = group(program, 'fx', 'published exchange rates for returns in another currency');
  add<{ from?: string }>(
    fx,
    'load <sources...>',
    'load published files: each a file, a folder of files, or an https address',
    [option('--from <date>', 'first day that is read; 2024-01-01 without it').argParser(calendarDate)],
    async (out, { from }, ...sources) => {
      const files: SourceFile[] = [];
      for (const source of sources.flat()) files.push(...(await filesAt(out.around, source, maxBytes)));
      const done = await withSession(out, async (session) => {
        const all: Loaded[] = [];
        for (const file of files) all.push(await loaded(session, { ...file, from }));
        return all;
      });
      const [only, ...others] = done;
      if (only && others.length === 0 && 'refused' in only) throw refuse('RATES_INVALID', only.refused);
      const refused = done.flatMap((d) => ('refused' in d ? [d.refused] : []));
      out.result({ files: done }, () => {
        out.table(
          [
            { title: 'File', value: (d) => d.name },
            { title: 'Publisher', value: (d) => ('refused' in d ? 'refused' : d.publisher) },
            { title: 'From', value: (d) => ('refused' in d ? null : d.from) },
            { title: 'To', value: (d) => ('refused' in d ? null : d.to) },
            { title: 'Currencies', value: (d) => ('refused' in d ? null : d.currencies), right: true },
            { title: 'Added', value: (d) => ('refused' in d ? null : d.added), right: true },
            { title: 'Corrected', value: (d) => ('refused' in d ? null : d.corrected), right: true },
          ],
          done,
        );
        for (const why of refused) out.remark(why);
      });
      if (refused.length > 0) throw new Unsound(`${refused.length} of ${done.length} files were refused`);
    },
  );
  call(
    fx,
    'list',
    'list rates, the last day first',
    [
      option('--publisher <name>', 'only of this bank or authority: ECB, HMRC …'),
      option('--currency <code>', 'only of this currency'),
      option('--from <date>', 'first day', 'dayFrom').argParser(calendarDate) as Field,
      option('--to <date>', 'last day', 'dayTo').argParser(calendarDate) as Field,
      option('--former', 'rates that were corrected, too'),
      ...paged(50, 100_000),
    ],
    'listExchangeRates',
    {
      listed: true,
      fields: ({ former, ...given }) => ({ ...given, former: former === true ? 'true' : undefined }),
      show: (out, { items }) =>
        out.table(
          [
            { title: 'Publisher', value: (r) => r.publisher },
            { title: 'Day', value: (r) => (r.kind === 'MONTH' ? r.day.slice(0, 7) : r.day) },
            { title: 'Rate', value: (r) => quoted(r) },
            { title: 'Revision', value: (r) => r.revision, right: true },
            { title: 'Load', value: (r) => r.loadId },
          ],
          items,
        ),
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
        out.table(
          [
            { title: 'Publisher', value: (p) => p.publisher },
            { title: 'Name', value: (p) => p.name },
            { title: 'Base', value: (p) => p.base },
            { title: 'Last day', value: (p) => p.stored.map((s) => s.lastDay).join(', ') || null },
            { title: 'File', value: (p) => p.address ?? p.archive },
          ],
          items,
        ),
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

async function loaded(
  session: Session,
  file: { name: string; text: string; from: string | undefined },
): Promise<Loaded> {
  try {
    return await asked(session, file);
  } catch (e) {
    if (e instanceof Refusal && e.code === 'RATES_INVALID') return { name: file.name, refused: e.message };
    throw e;
  }
}
