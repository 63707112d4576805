// assay archive: moves old months from the tables to files, proves and reads these, and brings a month back.
import { fromWire, type IdKind, nobody, toWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import {
  type ArchiveOptions,
  findInArchive,
  idsOfRef,
  listMonths,
  makeArchive,
  restoreMonth,
  verifyArchive,
} from '../../modules/archive/index.ts';
import { Pool } from '../../platform/database.ts';
import { add, type Command, group, option } from './command.ts';
import { Unsound, UsageError } from './exit-codes.ts';
import { person, withApp } from './local.ts';
import type { Output } from './output.ts';
import { endable } from './surroundings.ts';

function monthOf(text: string | undefined): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '')) throw new UsageError(`a month is written as 2025-01, not '${text}'`);
  return text as string;
}

/** Runs a step of the archive as the database's owner. */
function asOwner<T>(
  out: Output,
  month: string,
  work: (o: ArchiveOptions, readers: string[]) => Promise<T>,
): Promise<T> {
  return withApp(out, async ({ services, embedded, following }) => {
    const { settings, log } = services;
    const owner = new Pool(embedded?.adminUrl ?? (settings.databaseUrl as string), { max: 3, log });
    if (!following) throw new Error('without the readers of the journal nobody knows how far they have read');
    const names = following.readers.map((r) => r.name);
    try {
      return await endable(out.around, (signal) =>
        work({ services, principal: person(), owner, month, signal, step: (t) => out.remark(`${month}: ${t}`) }, names),
      );
    } finally {
      await owner.end();
    }
  });
}

const megabytes = (bytes: number | null): string => `${((bytes ?? 0) / 1e6).toFixed(1)} MB`;
const rowsOf = (rows: Readonly<Record<string, number>> | null): number =>
  Object.values(rows ?? {}).reduce((sum, n) => sum + n, 0);

export function archiveCommands(program: Command): void {
  const archive = group(program, 'archive', 'old months, in files beside the database');
  add(
    archive,
    'make <month>',
    'move the oldest month from the tables to DATA_DIR/archive; the service may run meanwhile, and the same command finishes what was cut off',
    [],
    async (out, _options, given) => {
      const made = await asOwner(out, monthOf(given), makeArchive);
      out.result(made, () =>
        out.line(
          `${made.month} is archived: ${rowsOf(made.rows)} rows in ${megabytes(made.bytes)}, SHA-256 ${made.sha256}`,
        ),
      );
      out.remark(
        'Copy the file to where backups are kept: it is in no backup, and the tables have its rows no longer.',
      );
    },
  );
  add(archive, 'list', 'archived months', [], (out) =>
    withApp(out, async ({ services: s }) => {
      const items = await listMonths(s.db);
      out.result({ items }, () =>
        out.table(items, [
          { title: 'Month', value: (m) => m.month },
          { title: 'Rows', value: (m) => rowsOf(m.rows), right: true },
          { title: 'Size', value: (m) => (m.sha256 === null ? 'not finished' : megabytes(m.bytes)), right: true },
          { title: 'SHA-256', value: (m) => m.sha256 ?? '' },
        ]),
      );
    }),
  );
  add(
    archive,
    'verify',
    'compare each archive file with its recorded hash, and prove each journal entry in it against the signed checkpoints',
    [],
    (out) =>
      withApp(out, async ({ services: s }) => {
        const months = await endable(out.around, (signal) =>
          Array.fromAsync(verifyArchive(s.db, s.settings.dataDir, signal)),
        );
        const bad = months.filter((m) => m.findings.length > 0);
        out.result({ sound: bad.length === 0, months }, () => {
          out.table(months, [
            { title: 'Month', value: (m) => m.month },
            { title: 'PSPs', value: (m) => m.psps, right: true },
            { title: 'Entries proved', value: (m) => m.entries, right: true },
            { title: 'Findings', value: (m) => m.findings.length, right: true },
          ]);
          for (const m of bad) for (const f of m.findings) out.line(`${m.month}: ${f}`);
        });
        if (bad.length > 0) throw new Unsound(`the archive of ${bad.length} of ${months.length} months is not sound`);
      }),
  );
  add<{ psp?: string }>(
    archive,
    'read <idOrRef>',
    'a record in the archive as it was stored, with its receipt; personal data in it is sealed',
    [option('--psp <pspId>', 'the PSP whose ref it is; needed with a ref')],
    (out, { psp: given }, name = '') =>
      withApp(out, async ({ services: s }) => {
        const psp = given === undefined ? undefined : fromWire('psp', given);
        if (given !== undefined && !psp) throw new UsageError(`--psp must be a PSP's id, not '${given}'`);
        const kinds: readonly IdKind[] = ['transaction', 'wager', 'payout', 'cdr', 'basket', 'chargeback'];
        const id = kinds.map((k) => fromWire(k, name)).find((uuid) => uuid !== undefined);
        if (id === undefined && !psp) throw new UsageError('with a ref, --psp names the PSP whose ref it is');
        const ids = id === undefined ? await idsOfRef(s.db, psp as string, name) : [id];
        const found = await endable(out.around, (signal) => findInArchive(s.db, s.settings.dataDir, ids, signal));
        const records = found.filter((r) => r.rows.length > 0 || r.receipt);
        if (records.length === 0) throw notFound();
        out.result({ records }, () => {
          for (const r of records) {
            for (const { month, table, row } of r.rows) {
              out.line(`${table} of ${month}, PSP ${toWire('psp', row.psp_id ?? nobody)}`);
              out.facts(Object.entries(row).filter(([, v]) => v !== null));
            }
            for (const { entry } of r.receipt?.entries ?? []) out.line(`entry ${entry.seq}: ${entry.kind}`);
          }
        });
        out.remark('With --json the receipt is there for verify-receipt.');
      }),
  );
  add(
    archive,
    'restore <month>',
    'bring the newest archived month back into the tables, from its file; the file stays under another name',
    [],
    async (out, _options, given) => {
      const month = monthOf(given);
      const file = await asOwner(out, month, restoreMonth);
      out.result({ month, file }, () => out.line(`${month} is back in the tables; its file is ${file}`));
    },
  );
}
