// assay report: requests reports, shows their state, and writes their documents to files.
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Output as Answer, Item } from '@assay/client';
import { Refusal } from '../../core/refusal.ts';
import { add, type Command, call, group, needed, option, paged } from './command.ts';
import { Unsound, UsageError } from './exit-codes.ts';
import type { Output } from './output.ts';
import { given, parametersOf, repeated } from './report-parameters.ts';
import { scheduleCommands } from './report-schedule.ts';
import { showReport, showReports } from './report-view.ts';
import { type Session, withSession } from './session.ts';

const lookMs = 200;
const states = Object.keys({
  QUEUED: true,
  RUNNING: true,
  DONE: true,
  FAILED: true,
} satisfies Record<Item<'listReports'>['state'], true>);
const documents = {
  json: 'getReportJson',
  csv: 'getReportCsv',
  page: 'getReportPage',
  xml: 'getReportXml',
  xlsx: 'getReportXlsx',
} as const;

async function show(out: Output, session: Session, reportId: string): Promise<Answer<'getReport'>> {
  const report = await session.ask('getReport', { reportId });
  showReport(out, report);
  return report;
}

/** Waits until the service has made the report and prints progress. @throws Unsound if it failed */
async function finish(out: Output, session: Session, reportId: string): Promise<void> {
  const { stderr } = out.around;
  let shown = -1;
  for (;;) {
    const { kind, state, progress } = await session.ask('getReport', { reportId });
    if (progress.percent > shown && stderr.isTTY) stderr.write(`\r${kind} ${progress.percent} %`);
    shown = Math.max(shown, progress.percent);
    if (state === 'DONE' || state === 'FAILED') break;
    await pause(lookMs);
  }
  if (stderr.isTTY) stderr.write('\n');
  const { state, reason } = await show(out, session, reportId);
  if (state === 'FAILED') throw new Unsound(reason ?? 'the report failed');
}

const noWait = () => option('--no-wait', 'only queue it: the running service makes it');

export function reportCommands(program: Command): void {
  const report = group(program, 'report', 'reports: asked for, made in the background, downloaded');
  call(report, 'kinds', 'which reports there are and what they take', [], 'listReportKinds', {
    show: (out, { items }) =>
      out.table(items, [
        { title: 'Kind', value: (k) => k.kind },
        { title: 'Takes', value: (k) => Object.keys((k.parameters as { properties: object }).properties).join(' ') },
        { title: 'What it says', value: (k) => k.summary },
      ]),
  });
  add<{ client: string; period?: string; set?: string[]; wait: boolean }>(
    report,
    'create <kind>',
    'ask for a report and wait for it',
    [
      needed('--client <accountId>', 'the client concerned, or a PSP: then with all its clients'),
      option('--period <month>', 'calendar month, such as 2026-10'),
      option('--set <name=value>', 'a further parameter; may be given several times').argParser(repeated),
      noWait(),
    ],
    (out, { client, period, set, wait }, kind) =>
      withSession(out, async (session) => {
        const schemas = await parametersOf(session, kind ?? '');
        const body = { kind, clientId: client, period, ...given(set ?? [], schemas) };
        const { reportId } = await session.ask('createReport', body, { options: { clientId: '--client' } });
        await (wait ? finish : show)(out, session, reportId);
      }),
  );
  call(
    report,
    'list',
    'list reports, newest first',
    [
      option('--client <accountId>', 'only about this client or PSP', 'clientId'),
      option('--kind <kind>', 'only of this kind'),
      option('--state <state>', 'only in this state').choices(states),
      ...paged(100, 10_000, 'reports'),
    ],
    'listReports',
    { listed: true, show: (out, { items }) => showReports(out, items) },
  );
  add(report, 'show <reportId>', 'a report, its progress, manifest and revisions', [], (out, _options, id) =>
    withSession(out, async (session) => void (await show(out, session, id as string))),
  );
  add<{ format: keyof typeof documents; section?: string; to?: string }>(
    report,
    'download <reportId>',
    'write a document of a report to a file',
    [
      option('--format <format>', 'which document').choices(Object.keys(documents)).default('json'),
      option('--section <name>', 'of a CSV; not needed where the report has one section'),
      option('--to <file>', 'file to write; without it one named after the report, here'),
    ],
    (out, { format, section, to }, reportId) =>
      withSession(out, async (session) => {
        const asked = { reportId, ...(format === 'csv' ? { section } : {}) };
        const { content, headers } = await session.document(documents[format], asked).catch((e: unknown) => {
          throw e instanceof Refusal && e.code === 'QUERY_INVALID' ? new UsageError(e.message) : e;
        });
        const [, name = ''] = /filename="([^"/\\]+)"/.exec(headers.get('content-disposition') ?? '') ?? [];
        const path = resolve(out.around.cwd, to ?? name);
        // Reports may name persons.
        await writeFile(path, content, { mode: 0o600 });
        const result = {
          path,
          bytes: Buffer.byteLength(content),
          sha256: createHash('sha256').update(content).digest('hex'),
        };
        out.result(result, () => out.line(`${path} (${result.bytes} bytes, SHA-256 ${result.sha256})`));
      }),
  );
  add<{ wait: boolean }>(
    report,
    'rerun <reportId>',
    'make a further revision of a report and say whether it says something else',
    [noWait()],
    (out, { wait }, id) =>
      withSession(out, async (session) => {
        const { reportId } = await session.ask('rerunReport', { reportId: id });
        await (wait ? finish : show)(out, session, reportId);
      }),
  );
  scheduleCommands(report);
}
