// Requests a report, or a new revision of one. If an equal report is waiting or running, that one is returned.
import { orThrow, refuse, said } from '../../core/refusal.ts';
import type { Parameters } from '../../core/reports/manifest.ts';
import { canonical } from '../../core/request.ts';
import type { Database } from '../../platform/database.ts';
import type { Account } from '../accounts/index.ts';
import { expectPeriodLive } from '../kernel/archived.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { recordIn } from '../kernel/record-in.ts';
import type { ReportKind } from '../kernel/report.ts';
import type { HasRateKeeper } from '../rates/index.ts';
import type { ReportNeeds } from './kinds.ts';
import { countUnfinished, findUnfinished, listSeries, lockRequests, type Report, reportRow } from './report-store.ts';
import { journalData } from './resource.ts';
import type { HasReports } from './runner.ts';

/** Maximum waiting and running reports per PSP. */
const mostUnfinished = 100;

/**
 * Extracts a kind's parameters from a request that was read with the parameters of all kinds.
 * @param given undefined members count as absent
 * @throws Refusal
 */
export function parametersOf(kind: ReportKind, given: Readonly<Record<string, unknown>>): Parameters {
  const known = Object.keys(kind.parameters.properties);
  const foreign = Object.keys(given).find((name) => given[name] !== undefined && !known.includes(name));
  if (foreign !== undefined)
    throw refuse(
      'FIELD_INVALID',
      said`the field '${foreign}' is no parameter of the report '${kind.name}'; it takes ${known.join(', ') || said`none`}`,
    );
  for (const name of kind.parameters.required ?? [])
    if (given[name] === undefined)
      throw refuse('FIELD_INVALID', said`the report '${kind.name}' needs the field '${name}'`);
  return Object.fromEntries(known.filter((n) => given[n] !== undefined).map((n) => [n, given[n] as string]));
}

/** @returns the parameters with those that depend on the moment @throws Refusal if the kind does not support them */
export function checkRequest(
  s: Needs<'settings' | 'db' | 'reference' | 'rates' | 'subjects'> & HasRateKeeper,
  kind: ReportKind<ReportNeeds>,
  concerned: Account,
  parameters: Parameters,
  now: number,
): Parameters {
  const { psp, id: account } = concerned;
  const only = account === psp ? undefined : account;
  const asked = { psp, account, concerned, only, parameters, now };
  const settled = orThrow(kind.settle?.(asked, s) ?? parameters);
  orThrow(kind.read({ ...asked, parameters: settled }, s));
  return settled;
}

/** @returns the report, and whether it existed already */
export async function requestReport(
  s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'reference' | 'rates' | 'subjects'> & HasRateKeeper & HasReports,
  principal: Principal,
  kind: ReportKind<ReportNeeds>,
  concerned: Account,
  given: Parameters,
  now: number,
): Promise<{ report: Report; known: boolean }> {
  const parameters = checkRequest(s, kind, concerned, given, now);
  const of = { psp: concerned.psp, account: concerned.id, kind: kind.name };
  const text = canonical(parameters);
  const asked = await s.db.transaction(async (tx) => {
    await lockRequests(tx, of.psp);
    const equal = await findUnfinished(tx, of, text);
    if (equal) return { report: equal, known: true };
    const id = s.ids.next();
    return {
      report: await insert(tx, s, principal, { ...of, parameters, id, series: id, revision: 1 }, now),
      known: false,
    };
  });
  void s.reports.work();
  return asked;
}

/** A further revision of a report; earlier ones stay. */
export async function rerunReport(
  s: Needs<'ids' | 'db' | 'committer'> & HasReports,
  principal: Principal,
  before: Report,
  now: number,
): Promise<Report> {
  const again = await s.db.transaction(async (tx) => {
    await lockRequests(tx, before.psp);
    const last = (await listSeries(tx, before)).at(-1) ?? before;
    if (last.state === 'QUEUED' || last.state === 'RUNNING')
      throw refuse('STATE_CONFLICT', said`revision ${last.revision} of this report is still being made; wait for it`);
    return await insert(tx, s, principal, { ...last, id: s.ids.next(), revision: last.revision + 1 }, now);
  });
  void s.reports.work();
  return again;
}

type Asked = Pick<Report, 'psp' | 'id' | 'series' | 'revision' | 'account' | 'kind' | 'parameters'> &
  Partial<Pick<Report, 'schedule' | 'dueAt'>>;

/** The report of a schedule for one time. @param tx ends with it */
export async function requestScheduled(
  tx: Database,
  s: Needs<'ids' | 'committer'>,
  asked: Omit<Asked, 'id' | 'series' | 'revision'>,
  now: number,
): Promise<void> {
  await lockRequests(tx, asked.psp);
  const id = s.ids.next();
  const bySchedule = { kind: 'psp', psp: asked.psp, account: asked.psp, actor: 'schedule' } as const;
  await insert(tx, s, bySchedule, { ...asked, id, series: id, revision: 1 }, now);
}

async function insert(
  tx: Database,
  s: Needs<'ids' | 'committer'>,
  principal: Principal,
  asked: Asked,
  now: number,
): Promise<Report> {
  // Its documents would lack what is in the archive; those of reports made before stay.
  await expectPeriodLive(tx, [asked.parameters.period, asked.parameters.from, asked.parameters.quarter]);
  if ((await countUnfinished(tx, asked.psp)) >= mostUnfinished)
    throw refuse('LIMIT_REACHED', said`${mostUnfinished} reports wait already; ask again when some of them are done`);
  const at = new Date(now).toISOString();
  const { psp, id, series, revision, account, kind, parameters } = asked;
  const report: Report = {
    ...{ psp, id, series, revision, account, kind, parameters },
    state: 'QUEUED',
    percent: 0,
    begun: 0,
    reason: null,
    provisional: null,
    asOf: null,
    asOfSeq: null,
    manifest: null,
    requestedBy: principal.actor,
    createdAt: at,
    startedAt: null,
    finishedAt: null,
    schedule: asked.schedule ?? null,
    dueAt: asked.dueAt ?? null,
  };
  const entry = journalRow(s, principal, at, {
    kind: 'report.requested',
    psp,
    account,
    resourceId: id,
    version: 1,
    data: journalData(report),
  });
  await recordIn(tx, s, { rows: [reportRow(report, canonical(parameters)), entry] });
  return report;
}
