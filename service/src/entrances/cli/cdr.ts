// assay cdr: call detail files, what became of their lines, and picking them up at once.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { accountFromWire, fromWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import {
  type CdrFile,
  countSuspended,
  fileResource,
  findAnyFile,
  giveUp,
  listFiles,
} from '../../modules/telecom/index.ts';
import { analysisCommands } from './cdr-analysis.ts';
import { declarationCommands } from './cdr-declare.ts';
import { add, group, needed, option, wholeNumber } from './command.ts';
import { UsageError } from './exit-codes.ts';
import type { Output } from './output.ts';
import { type Session, withSession } from './session.ts';

/** @throws NOT_FOUND */
async function fileOf({ services: s }: Session, wireId: string): Promise<CdrFile> {
  const id = fromWire('cdrFile', wireId);
  const file = id && (await findAnyFile(s.db, id));
  if (!file) throw notFound();
  return file;
}

function showFiles(out: Output, { services: s, now }: Session, files: readonly CdrFile[]): void {
  const items = files.map((f) => fileResource(f, now));
  out.result({ items }, () =>
    out.table(
      [
        { title: 'File', value: (f) => f.fileId },
        { title: 'Account', value: (f) => f.clientId },
        { title: 'Name', value: (f) => f.fileName },
        { title: 'State', value: (f) => f.state },
        { title: 'Done', value: (f) => `${f.progress.percent} %`, right: true },
        { title: 'Seconds left', value: (f) => f.progress.etaSeconds ?? '', right: true },
        { title: 'Accepted', value: (f) => f.counts.accepted, right: true },
        { title: 'Rejected', value: (f) => f.counts.rejected, right: true },
        { title: 'Duplicate', value: (f) => f.counts.duplicate, right: true },
        { title: 'Picked up', value: (f) => f.pickedUpAt },
      ],
      items,
    ),
  );
  if (s.settings.cdrPickupCron === undefined) out.remark('No pick-up is timed here: CDR_PICKUP_CRON is off.');
}

async function showFile(out: Output, { services: s, now }: Session, file: CdrFile): Promise<void> {
  const shown = { ...fileResource(file, now), suspense: await countSuspended(s.db, file) };
  out.result(shown, () => {
    out.facts([
      ['File', shown.fileId],
      ['Account', shown.clientId],
      ['Name', shown.fileName],
      ['State', shown.state],
      ['Bytes', shown.sizeBytes],
      ['Done', `${shown.progress.percent} %`],
      ['Lines', `${shown.progress.done} of ${shown.progress.lines ?? 'not known yet'}`],
      ['Seconds left', shown.progress.etaSeconds],
      ['Accepted', shown.counts.accepted],
      ['Rejected', shown.counts.rejected],
      ['Duplicate', shown.counts.duplicate],
      ['With warnings', shown.counts.warned],
      ['Open', shown.suspense.OPEN],
      ['Corrected', shown.suspense.CORRECTED],
      ['Written off', shown.suspense.WRITTEN_OFF],
      ['Only counted', shown.counts.rejected - Object.values(shown.suspense).reduce((a, b) => a + b, 0)],
    ]);
    if (shown.errorSummary.length === 0) return;
    out.line();
    out.table(
      [
        { title: 'Code', value: (e) => e.code },
        { title: 'Times', value: (e) => e.count, right: true },
      ],
      shown.errorSummary,
    );
  });
}

export function cdrCommands(program: Command): void {
  const cdr = group(program, 'cdr', 'call detail files');
  add<{ client?: string; limit: number }>(
    cdr,
    'files',
    'list call detail files, newest first',
    [
      option('--client <accountId>', 'only of this client or PSP'),
      option('--limit <n>', 'most files to list').argParser(wholeNumber(1, 10_000)).default(100),
    ],
    (out, { client, limit }) =>
      withSession(out, async (session) => {
        const account = client === undefined ? undefined : accountFromWire(client);
        if (client !== undefined && account === undefined) throw notFound();
        showFiles(out, session, await listFiles(session.services.db, { account, limit }));
      }),
  );
  add(cdr, 'show <fileId>', 'show a file, its progress and what is wrong in it', [], (out, _options, id) =>
    withSession(out, async (session) => showFile(out, session, await fileOf(session, id as string))),
  );
  add(cdr, 'pick-up', 'pick up finished files and work on them until they are done', [], (out) =>
    withSession(out, async ({ services: s }) => {
      const taken = await s.cdrIntake.take({});
      await s.cdrIntake.work();
      out.result({ taken }, () => out.line(`${taken} taken; see: assay cdr files`));
    }),
  );
  add<{ reason: string }>(
    cdr,
    'write-off <fileId>',
    'give up the open rejected lines of a file',
    [needed('--reason <text>', 'why; it is journalled')],
    (out, { reason }, id) =>
      withSession(out, async (session) => {
        if (reason.trim() === '' || reason.length > 500) throw new UsageError('--reason must have 1 to 500 characters');
        const { services: s, principal, now } = session;
        const file = await fileOf(session, id as string);
        const writtenOff = await giveUp(s, principal, file, undefined, reason.trim(), now);
        out.result({ writtenOff }, () => out.line(`${writtenOff} lines written off`));
      }),
  );
  add(cdr, 'rebuild-status <fileId>', "write a file's status again from the database", [], (out, _options, id) =>
    withSession(out, async (session) => {
      const file = await fileOf(session, id as string);
      await session.services.cdrIntake.tell(file);
      out.result({ fileName: file.name }, () => out.line(`written for ${file.name}`));
    }),
  );
  add<{ to?: string }>(
    cdr,
    'archived <fileId>',
    'write a file as it came, which the archive keeps sealed',
    [option('--to <file>', 'file to write; without it one named after the file id, here')],
    (out, { to }, id) =>
      withSession(out, async (session) => {
        const file = await fileOf(session, id as string);
        const bytes = await session.services.cdrIntake.readArchived(file);
        if (bytes === undefined) throw notFound();
        const path = resolve(out.around.cwd, to ?? `${id}.csv`);
        await writeFile(path, bytes, { mode: 0o600 });
        const result = { path, fileName: file.name, bytes: file.sizeBytes, sha256: file.sha256 };
        out.result(result, () => out.line(`${path} (${file.name}, ${file.sizeBytes} bytes, SHA-256 ${file.sha256})`));
      }),
  );
  analysisCommands(cdr);
  declarationCommands(cdr);
}
