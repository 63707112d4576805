// The parts of assay cdr and assay sftp that work on this machine's files and database, without the API.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../../app.ts';
import { accountFromWire, fromWire, toWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import { findAnyAccount } from '../../modules/accounts/index.ts';
import {
  analysisProgress,
  type CdrFile,
  Drops,
  findAnyFile,
  forgetAnalyses,
  makeCdrAnalysis,
  pspsWithRecords,
} from '../../modules/telecom/index.ts';
import { Unsound } from './exit-codes.ts';
import { withApp } from './local.ts';
import type { Output } from './output.ts';

/** Milliseconds between lines of progress. */
const tellMs = 2_000;

/** @throws NOT_FOUND */
async function fileOf({ services: s }: App, wireId: string): Promise<CdrFile> {
  const id = fromWire('cdrFile', wireId);
  const file = id && (await findAnyFile(s.db, id));
  if (!file) throw notFound();
  return file;
}

/** @throws NOT_FOUND */
async function accountOf({ services: s }: App, wireId: string) {
  const id = accountFromWire(wireId);
  const account = id && (await findAnyAccount(s.db, id));
  if (!account) throw notFound();
  return account;
}

/** Waits until this process or another one has analysed all records. @returns the number analysed in this process */
async function analyseAll({ services: s }: App, out: Output, psp: string | undefined): Promise<number> {
  let analysed = 0;
  const reader = makeCdrAnalysis(s, s.db, (records) => {
    analysed += records;
  });
  reader.start();
  try {
    for (let told = s.clock(); ; await pause(50)) {
      const { complete, read, entries, setAside } = await analysisProgress(s.db, psp);
      if (complete) return analysed;
      if (reader.troubled > 0) throw new Unsound('the analysis stands still because of an error; see the log');
      if (setAside > 0 && read === entries)
        throw new Unsound(`${setAside} journal entries could not be analysed and are set aside; see the log`);
      if (s.clock() - told < tellMs) continue;
      told = s.clock();
      out.remark(`${Math.floor((read / entries) * 100)} % of the journal read, ${analysed} records analysed`);
    }
  } finally {
    await reader.stop();
  }
}

export const rebuildStatus = (out: Output, id: string): Promise<void> =>
  withApp(out, async (app) => {
    const file = await fileOf(app, id);
    await app.services.cdrIntake.tell(file);
    out.result({ fileName: file.name }, () => out.line(`written for ${file.name}`));
  });

export const writeArchived = (out: Output, id: string, to = `${id}.csv`): Promise<void> =>
  withApp(out, async (app) => {
    const file = await fileOf(app, id);
    const bytes = await app.services.cdrIntake.readArchived(file);
    if (bytes === undefined) throw notFound();
    const path = resolve(out.around.cwd, to);
    await writeFile(path, bytes, { mode: 0o600 });
    const result = { path, fileName: file.name, bytes: file.sizeBytes, sha256: file.sha256 };
    out.result(result, () => out.line(`${path} (${file.name}, ${file.sizeBytes} bytes, SHA-256 ${file.sha256})`));
  });

export const analyse = (out: Output, rebuild: boolean, psp: string | undefined): Promise<void> =>
  withApp(out, async (app) => {
    const { db } = app.services;
    const only = psp === undefined ? undefined : (await accountOf(app, psp)).psp;
    if (rebuild)
      for (const id of only === undefined ? await pspsWithRecords(db) : [only]) {
        out.remark(`${toWire('psp', id)} is made again`);
        await forgetAnalyses(db, id);
      }
    const analysed = await analyseAll(app, out, only);
    out.result({ analysed }, () => out.line(`${analysed} records analysed; see: assay cdr totals`));
  });

/** Makes the folders of an account's file drop. */
export const makeFolders = (out: Output, accountId: string): Promise<void> =>
  withApp(out, async (app) => {
    const { settings, ids } = app.services;
    const { id } = await accountOf(app, accountId);
    const root = join(settings.dataDir, 'cdr');
    await new Drops(root, () => ids.next()).of(id);
    const folders = { incoming: join(root, 'incoming', id), status: join(root, 'status', id) };
    out.result(folders, () =>
      out.facts([
        ['Incoming', folders.incoming],
        ['Status', folders.status],
      ]),
    );
  });
