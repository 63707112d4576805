// assay report: asking for reports, what became of them, and writing their documents to files.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { accountFromWire, fromWire } from '../../core/ids.ts';
import { Numeral } from '../../core/money.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import { findAnyAccount } from '../../modules/accounts/index.ts';
import {
  anyParameters,
  findAnyReport,
  kindNamed,
  kindNames,
  listReports,
  listSeries,
  parametersOf,
  type Report,
  reportDetail,
  reportKinds,
  reportResource,
  reportStates,
  requestReport,
  rerunReport,
} from '../../modules/reports/index.ts';
import { documentOf, fileName } from '../../modules/reports/operations/download-report.ts';
import { readBody, type Schema } from '../http/reader.ts';
import { add, group, needed, option, wholeNumber } from './command.ts';
import { named, Unsound, UsageError } from './exit-codes.ts';
import type { Output } from './output.ts';
import { showReport, showReports } from './report-view.ts';
import { type Session, withSession } from './session.ts';

const lookMs = 200;

/** @throws NOT_FOUND */
async function reportAt({ services: s }: Session, wireId: string | undefined): Promise<Report> {
  const id = fromWire('report', wireId ?? '');
  const report = id && (await findAnyReport(s.db, id));
  if (!report) throw notFound();
  return report;
}

async function accountAt({ services: s }: Session, wireId: string) {
  const id = accountFromWire(wireId);
  const account = id && (await findAnyAccount(s.db, id));
  if (!account || account.kind === 'operator') throw notFound();
  return account;
}

async function show(out: Output, { services: s }: Session, report: Report): Promise<void> {
  showReport(out, reportDetail(report, await listSeries(s.db, report), s.clock()));
}

/** Makes it, or waits while another process does, and says how far it is. @throws Unsound where it failed */
async function finish(out: Output, session: Session, asked: Report): Promise<void> {
  const { services: s } = session;
  const { stderr } = out.around;
  let shown = -1;
  for (;;) {
    // What another process has in hand is left to it, and taken over should it end.
    await Promise.race([s.reports.make(asked), pause(lookMs)]);
    const report = (await findAnyReport(s.db, asked.id)) as Report;
    if (report.percent > shown && stderr.isTTY) stderr.write(`\r${report.kind} ${report.percent} %`);
    shown = Math.max(shown, report.percent);
    if (report.state === 'DONE' || report.state === 'FAILED') {
      if (stderr.isTTY) stderr.write('\n');
      await show(out, session, report);
      if (report.state === 'FAILED') throw new Unsound(report.reason ?? 'the report failed');
      return;
    }
    await pause(lookMs);
  }
}

/** name=value, as the parameter's schema wants it. */
function givenParameters(set: readonly string[], period: string | undefined): Record<string, unknown> {
  const given: Record<string, string | boolean | Numeral> = period === undefined ? {} : { period };
  for (const text of set) {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
    const schema = name === undefined ? undefined : (anyParameters.properties[name] as Schema | undefined);
    if (name === undefined || value === undefined || !schema)
      throw new UsageError(
        `--set takes name=value, with one of ${Object.keys(anyParameters.properties).join(', ')}; not '${text}'`,
      );
    given[name] =
      schema.type === 'boolean' && /^(true|false)$/.test(value)
        ? value === 'true'
        : schema.type === 'integer' && /^\d{1,15}$/.test(value)
          ? new Numeral(value)
          : value;
  }
  const read = readBody(anyParameters as Schema, given);
  if (read instanceof Refusal) throw named(read);
  return read.value as Record<string, unknown>;
}

const account = () => option('--client <accountId>', 'only about this client or PSP');
const repeated = (value: string, before: readonly string[] = []) => [...before, value];

export function reportCommands(program: Command): void {
  const report = group(program, 'report', 'reports: asked for, made in the background, downloaded');
  add(report, 'kinds', 'which reports there are and what they take', [], (out) => {
    const items = reportKinds.map((k) => ({
      kind: k.name,
      title: k.title,
      summary: k.summary,
      parameters: k.parameters,
    }));
    out.result({ items }, () =>
      out.table(
        [
          { title: 'Kind', value: (k) => k.kind },
          { title: 'Takes', value: (k) => Object.keys(k.parameters.properties).join(' ') },
          { title: 'What it says', value: (k) => k.summary },
        ],
        items,
      ),
    );
  });
  add<{ client: string; period?: string; set?: string[]; wait: boolean }>(
    report,
    'create <kind>',
    'ask for a report and wait for it',
    [
      needed('--client <accountId>', 'the client concerned, or a PSP: then with all its clients'),
      option('--period <month>', 'calendar month, such as 2026-10'),
      option('--set <name=value>', 'a further parameter; may be given several times').argParser(repeated),
      option('--no-wait', 'only queue it: the running service makes it'),
    ],
    (out, { client, period, set, wait }, name) =>
      withSession(out, async (session) => {
        const { services: s, principal, now } = session;
        const kind = kindNamed(name ?? '');
        if (!kind) throw new UsageError(`there is no report '${name}'; there are ${kindNames.join(', ')}`);
        const concerned = await accountAt(session, client);
        try {
          const parameters = parametersOf(kind, givenParameters(set ?? [], period));
          const asked = await requestReport(s, principal, kind, concerned, parameters, now, false);
          if (wait) await finish(out, session, asked.report);
          else await show(out, session, asked.report);
        } catch (e) {
          throw e instanceof Refusal ? named(e) : e;
        }
      }),
  );
  add<{ client?: string; kind?: string; state?: string; limit: number }>(
    report,
    'list',
    'list reports, newest first',
    [
      account(),
      new Option('--kind <kind>', 'only of this kind').choices(kindNames),
      new Option('--state <state>', 'only in this state').choices(reportStates),
      option('--limit <n>', 'most reports to list').argParser(wholeNumber(1, 10_000)).default(100),
    ],
    (out, { client, kind, state, limit }) =>
      withSession(out, async (session) => {
        const { services: s, now } = session;
        const of = client === undefined ? undefined : (await accountAt(session, client)).id;
        const found = await listReports(s.db, { account: of, kind, kinds: kindNames, state, limit });
        showReports(
          out,
          found.map((r) => reportResource(r, now)),
        );
      }),
  );
  add(report, 'show <reportId>', 'a report, its progress, manifest and revisions', [], (out, _options, id) =>
    withSession(out, async (session) => show(out, session, await reportAt(session, id))),
  );
  add<{ format: 'json' | 'csv' | 'page' | 'xml'; section?: string; to?: string }>(
    report,
    'download <reportId>',
    'write a document of a report to a file',
    [
      new Option('--format <format>', 'which document').choices(['json', 'csv', 'page', 'xml']).default('json'),
      option('--section <name>', 'of a CSV; not needed where the report has one section'),
      option('--to <file>', 'file to write; without it one named after the report, here'),
    ],
    (out, { format, section, to }, id) =>
      withSession(out, async (session) => {
        const found = await reportAt(session, id);
        const file = await documentOf(session.services.db, found, format, section).catch((e: unknown) => {
          throw e instanceof Refusal && e.code === 'QUERY_INVALID'
            ? new UsageError(e.message.replace("the query parameter 'section'", '--section'))
            : e;
        });
        const path = resolve(out.around.cwd, to ?? fileName(found, file, format));
        await writeFile(path, file.content);
        const result = { path, bytes: file.bytes, sha256: file.sha256 };
        out.result(result, () => out.line(`${path} (${file.bytes} bytes, SHA-256 ${file.sha256})`));
      }),
  );
  add<{ wait: boolean }>(
    report,
    'rerun <reportId>',
    'make a further revision of a report and say whether it says something else',
    [option('--no-wait', 'only queue it: the running service makes it')],
    (out, { wait }, id) =>
      withSession(out, async (session) => {
        const { services: s, principal, now } = session;
        const again = await rerunReport(s, principal, await reportAt(session, id), now, false);
        if (wait) await finish(out, session, again);
        else await show(out, session, again);
      }),
  );
}
