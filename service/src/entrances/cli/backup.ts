// assay backup and assay restore: the embedded database and what belongs to it, in one file and back. They ask nothing
// of the service and bring no schema up to date, so that a backup can come before an update.
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { refuse } from '../../core/refusal.ts';
import type { Manifest } from '../../platform/backup-archive.ts';
import { systemClock } from '../../platform/clock.ts';
import { BadArchive } from '../../platform/read-archive.ts';
import { checkBackup, restoreBackup } from '../../platform/restore-backup.ts';
import { takeBackup } from '../../platform/take-backup.ts';
import { version } from '../../platform/version.ts';
import type { Settings } from '../../settings.ts';
import { add, option } from './command.ts';
import { Unsound } from './exit-codes.ts';
import type { Output } from './output.ts';
import { endable, logIn, type Surroundings, settingsIn } from './surroundings.ts';

/** @throws Refusal where the database is not ours to copy */
function embeddedSettings(around: Surroundings, instead: string): Settings {
  const settings = settingsIn(around);
  if (settings.databaseUrl !== undefined)
    throw refuse('STATE_CONFLICT', `DATABASE_URL is set, and this is for the embedded database alone: ${instead}`);
  return settings;
}

/** Tells every tenth that is done. */
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

/** What a person is told of a backup. */
const told = (m: Manifest) => ({
  madeAt: m.madeAt,
  assay: m.assay,
  postgres: m.postgres,
  schema: m.migrations.at(-1)?.name ?? null,
  startLsn: m.startLsn,
  stopLsn: m.stopLsn,
  files: m.files.length,
  bytes: m.files.reduce((sum, f) => sum + f.size, 0),
  masterKey: m.masterKey,
});

const factsOf = (m: Manifest): (readonly [string, unknown])[] => [
  ['Made', m.madeAt],
  ['By Assay', `${m.assay}, PostgreSQL ${m.postgres}, schema ${m.migrations.at(-1)?.name}`],
  ['Files', `${m.files.length}, ${megabytes(m.files.reduce((sum, f) => sum + f.size, 0))} unpacked`],
  ['Log', `${m.startLsn} to ${m.stopLsn}`],
  ['Master key', m.masterKey ? 'in it' : 'not in it'],
];

export function backupCommand(program: Command): void {
  add<{ withMasterKey?: boolean }>(
    program,
    'backup <file>',
    'write the embedded database, checkpoints, call detail files and keys to one file; the service may run meanwhile',
    [
      option(
        '--with-master-key',
        'put secrets/master.key into it; whoever has the file can then read every secret and all personal data',
      ),
    ],
    async (out, { withMasterKey = false }, file) => {
      const { around } = out;
      const settings = embeddedSettings(
        around,
        'back that one up with pg_dump, or pg_basebackup and continuous archiving, and copy secrets, checkpoints and cdr of DATA_DIR',
      );
      if (withMasterKey && settings.masterKey !== undefined)
        throw refuse('STATE_CONFLICT', 'the master key is given by ASSAY_MASTER_KEY; keep it where that is');
      const made = await endable(around, (signal) =>
        takeBackup({
          dataDir: settings.dataDir,
          file: resolve(around.cwd, file as string),
          withMasterKey,
          version,
          now: new Date(systemClock()),
          log: logIn(around, settings),
          signal,
          progress: tenths(out, 'copied'),
        }),
      );
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
    'put a backup into DATA_DIR, which must be missing or empty; nothing is put there unless all of it is sound',
    [option('--check', 'only read the backup to its end and check it')],
    async (out, { check = false }, file) => {
      const { around } = out;
      const settings = embeddedSettings(around, 'restore that one with the means it was backed up by');
      const { dataDir } = settings;
      const asked = { dataDir, file: resolve(around.cwd, file as string), log: logIn(around, settings) };
      if (check)
        return await showCheck(out, () =>
          endable(around, (signal) => checkBackup({ ...asked, signal, progress: tenths(out, 'checked') })),
        );
      const restored = await endable(around, (signal) =>
        restoreBackup({ ...asked, signal, progress: tenths(out, 'read') }),
      );
      out.result({ dataDir, ...told(restored) }, () => {
        out.line(`${dataDir} holds the backup.`);
        out.facts(factsOf(restored));
      });
      if (!restored.masterKey && settings.masterKey === undefined)
        out.remark(
          `The master key is not in the backup: put it into ${join(dataDir, 'secrets', 'master.key')} or set ASSAY_MASTER_KEY before the service starts.`,
        );
      out.remark('Checkpoints newer than the backup: see docs/how-to/verify-a-receipt.md, "After a restore".');
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
    if (!(e instanceof BadArchive)) throw e;
    out.result({ sound: false, message: e.message }, () => undefined);
    throw new Unsound(e.message);
  }
}
