// assay backup and assay restore: write the database and its files to one file, or to the folder of scheduled backups, and
// restore them. A backup needs no running service and does not migrate the schema, so it can be made before an update.
import { join, resolve } from 'node:path';
import { refuse } from '../../core/refusal.ts';
import type { Manifest } from '../../platform/backup-file.ts';
import { systemClock } from '../../platform/clock.ts';
import { makeKeptBackup } from '../../platform/kept-backups.ts';
import { BadBackup } from '../../platform/read-backup.ts';
import { checkBackup, restoreBackup } from '../../platform/restore-backup.ts';
import { takeBackup } from '../../platform/take-backup.ts';
import { version } from '../../platform/version.ts';
import { add, type Command, option } from './command.ts';
import { Unsound, UsageError } from './exit-codes.ts';
import { commandLog } from './log.ts';
import type { Output } from './output.ts';
import { endable, pathOf, settingsIn } from './surroundings.ts';

/** Prints progress at every tenth. */
function tenths(out: Output, what: string): (done: number, total: number) => void {
  let told = 0;
  return (done, total) => {
    const tenth = Math.floor((done / Math.max(total, 1)) * 10);
    if (tenth <= told) return;
    told = tenth;
    out.remark(`${what}: ${Math.min(tenth * 10, 100)} % of ${megabytes(total)}`);
  };
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`;

const rowsOf = (m: Manifest): number => Object.values(m.rows).reduce((sum, n) => sum + n, 0);

/** The JSON form of a backup's manifest. */
const told = ({ migrations, months: _, ...m }: Manifest) => ({ ...m, schema: migrations.at(-1)?.name ?? null });

const factsOf = (m: Manifest): (readonly [string, unknown])[] => [
  ['Made', m.madeAt],
  ['By Assay', `${m.assay}, schema ${m.migrations.at(-1)?.name}, PostgreSQL ${m.postgres}`],
  ['Rows', `${rowsOf(m)} of ${Object.keys(m.rows).length} tables`],
  ['Files', `${m.files}; ${megabytes(m.bytes)} with the rows, unpacked`],
  ['Master key', m.masterKey ? 'in it' : 'not in it'],
];

export function backupCommand(program: Command): void {
  add<{ withMasterKey?: boolean }>(
    program,
    'backup [file]',
    'write the database, checkpoints, call detail files and keys to one file; the service may run meanwhile. Without a file: into BACKUP_DIR, checked, and older ones past their keeping are removed',
    [
      option(
        '--with-master-key',
        'put secrets/master.key into it; whoever has the file can then read every secret and all personal data',
      ),
    ],
    async (out, { withMasterKey = false }, file?: string) => {
      const { around } = out;
      const settings = settingsIn(around);
      if (withMasterKey && settings.masterKey !== undefined)
        throw refuse('STATE_CONFLICT', 'the master key is given by ASSAY_MASTER_KEY; keep it where that is');
      const { dataDir, databaseUrl, backups } = settings;
      const now = new Date(systemClock());
      const of = { dataDir, databaseUrl, withMasterKey, version, now, log: commandLog(around, settings) };
      const take = (signal: AbortSignal, to: string) =>
        takeBackup({ ...of, file: to, signal, progress: tenths(out, 'copied') });
      if (file === undefined) {
        if (withMasterKey) throw new UsageError('--with-master-key needs a file: scheduled backups never hold the key');
        if (!backups) throw new UsageError('name a file, or set BACKUP_DIR to the folder that backups are kept in');
        const folder = resolve(around.cwd, backups.dir);
        const checked = tenths(out, 'checked');
        const kept = await endable(around, (signal) =>
          makeKeptBackup({ folder, keep: backups.keep, now, signal, take: (to) => take(signal, to), checked }),
        );
        out.result({ file: kept.file, sound: true, ...told(kept.manifest), removed: kept.removed }, () => {
          out.line(`${kept.file} holds the backup, and was checked.`);
          out.facts([...factsOf(kept.manifest), ['Removed', kept.removed.join(', ') || 'none']]);
        });
        return;
      }
      const made = await endable(around, (signal) => take(signal, resolve(around.cwd, file)));
      out.result({ file, ...told(made) }, () => {
        out.line(`${file} holds the backup.`);
        out.facts(factsOf(made));
      });
      if (!withMasterKey)
        out.remark('The master key is not in it: keep a copy of it, in another place than this file.');
    },
  );
}

export function restoreCommand(program: Command): void {
  add<{ check?: boolean }>(
    program,
    'restore <file>',
    'restore a backup into a database without tables and a DATA_DIR that is missing or empty; nothing is written unless all of it is sound',
    [option('--check', 'only read the backup to its end and check it')],
    async (out, { check = false }, given) => {
      const { around } = out;
      const settings = settingsIn(around);
      const { dataDir, databaseUrl } = settings;
      const file = pathOf(around, given as string);
      const steps = { checked: tenths(out, 'checked'), restored: tenths(out, 'restored') };
      const progress = (what: keyof typeof steps, done: number, total: number) => steps[what](done, total);
      if (check)
        return await showCheck(out, () => endable(around, (signal) => checkBackup({ file, signal, progress })));
      const log = commandLog(around, settings);
      const restored = await endable(around, (signal) =>
        restoreBackup({ file, dataDir, databaseUrl, now: new Date(systemClock()), log, signal, progress }),
      );
      out.result({ dataDir, ...told(restored) }, () => {
        out.line(`${databaseUrl === undefined ? dataDir : 'The database'} holds the backup.`);
        out.facts(factsOf(restored));
      });
      if (!restored.masterKey && settings.masterKey === undefined)
        out.remark(
          `The master key is not in the backup: put it into ${join(dataDir, 'secrets', 'master.key')} or set ASSAY_MASTER_KEY before the service starts.`,
        );
      out.remark(
        `All that was done after ${restored.madeAt} is undone: a key revoked since is valid again, a hold or an exclusion made since is gone. Before the start see docs/how-to/operate.md, "After a restore". Everybody signs in again.`,
      );
    },
  );
}

async function showCheck(out: Output, read: () => Promise<Manifest>): Promise<void> {
  try {
    const m = await read();
    out.result({ sound: true, ...told(m) }, () => {
      out.line('Sound.');
      out.facts(factsOf(m));
    });
  } catch (e) {
    if (!(e instanceof BadBackup)) throw e;
    out.result({ sound: false, message: e.message }, () => undefined);
    throw new Unsound(e.message);
  }
}
