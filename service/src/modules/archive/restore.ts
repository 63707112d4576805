// Brings the newest archived month back into the tables, from its file. Its tables are filled first; one commit attaches
// them, and until then the month is in the archive as before.
import { setTimeout as pause } from 'node:timers/promises';
import { refuse } from '../../core/refusal.ts';
import { databaseOn, transactionOn } from '../../platform/database.ts';
import { unknownMigration } from '../../platform/migrate.ts';
import { readBackup } from '../../platform/read-backup.ts';
import { tableSink } from '../../platform/restore-backup.ts';
import { withConnection } from '../../platform/take-backup.ts';
import { recordIn } from '../kernel/record-in.ts';
import {
  attachMonth,
  dropTables,
  listMonths,
  looseTables,
  makeTables,
  partitionedTables,
  partOf,
} from './archive-store.ts';
import { type ArchiveOptions, alone, archiveChange } from './make.ts';
import { faultOf, fileOf, setAside, type WrittenFile } from './month-file.ts';

/** @returns the path of the file, which stays */
export const restoreMonth = (o: ArchiveOptions): Promise<string> =>
  alone(o.owner, async () => {
    const { owner, month, services: s, step, signal } = o;
    const { dataDir } = s.settings;
    const months = await listMonths(owner);
    const last = months.at(-1);
    if (!months.some((m) => m.month === month)) throw refuse('NOT_FOUND', `${month} is not in the archive`);
    if (last?.month !== month)
      throw refuse('STATE_CONFLICT', `months are brought back from the newest on; restore ${last?.month} first`);
    if (last.sha256 === null)
      throw refuse(
        'STATE_CONFLICT',
        `the archive of ${month} is not finished; run \`assay archive make ${month}\` first`,
      );
    const file = fileOf(dataDir, month);
    const fault = await faultOf(file, last.sha256);
    if (fault !== undefined) throw refuse('STATE_CONFLICT', fault);
    const tables = await partitionedTables(owner);
    const rows = last.rows ?? {};
    step?.('reads the file into tables');
    await owner.withClient((c) =>
      withConnection(c, () =>
        transactionOn(c, async (tx) => {
          await dropTables(tx, await looseTables(tx, month, tables));
          await makeTables(databaseOn(c), month, tables);
          await readBackup(
            file,
            {
              cover({ migrations, assay }) {
                const unknown = unknownMigration(migrations);
                if (unknown !== undefined)
                  throw refuse('STATE_CONFLICT', `${file} was written by a newer version of Assay, ${assay}; use that`);
              },
              async section(head) {
                if (!('table' in head)) return undefined;
                const into = { table: partOf(head.table, month), columns: head.columns };
                return tableSink(c, into, rows[head.table] as number);
              },
            },
            signal,
          );
        }),
      ),
    );
    step?.('puts the tables into place');
    for (;;) {
      try {
        await owner.transaction(async (tx) => {
          await attachMonth(tx, month, tables);
          await recordIn(tx, s, { rows: [archiveChange(o, 'RESTORED', last as WrittenFile)] });
        });
        break;
      } catch (e) {
        if (!['55P03', '40P01'].includes((e as { code?: string }).code ?? '')) throw e;
        step?.('waits for something that reads for long, such as a backup');
        await pause(1000, undefined, { signal });
      }
    }
    // At once: a month whose file is in the way cannot be archived again.
    const aside = await setAside(dataDir, month);
    await owner.query('ANALYZE');
    return aside;
  });
