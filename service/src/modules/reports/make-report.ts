// Makes one report: runs its kind on a snapshot, validates and renders the content. Writes nothing.
import type pg from 'pg';
import { accountWire, toWire } from '../../core/ids.ts';
import { orThrow, Refusal } from '../../core/refusal.ts';
import { shapeProblem, sizeProblem } from '../../core/reports/check.ts';
import type { ReportHead, SaidContent } from '../../core/reports/document.ts';
import { inEnglish } from '../../core/reports/language.ts';
import { accountsOf, currenciesOf } from '../../core/reports/legible.ts';
import { accountNames, findAccount } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import type { ReportKind, ReportRun } from '../kernel/report.ts';
import type { HasRateKeeper } from '../rates/index.ts';
import type { ReportNeeds } from './kinds.ts';
import { pieceByPiece, renderReport } from './manifest.ts';
import type { Report } from './report-store.ts';
import { inSnapshot } from './snapshot.ts';

/**
 * @param now milliseconds since the epoch, from just before the snapshot
 * @throws Refusal with a sentence for the requester
 */
export async function makeReport(
  s: Needs<'settings' | 'db' | 'reference' | 'rates' | 'subjects'> & HasRateKeeper,
  kinds: readonly ReportKind<ReportNeeds>[],
  client: pg.PoolClient,
  report: Report,
  now: number,
  progress: ReportRun['progress'],
) {
  const kind = kinds.find((k) => k.name === report.kind);
  if (!kind) throw new Error(`the kind of report '${report.kind}' is not known to this version`);
  // What another process has just put in force counts as well.
  await s.rateKeeper.refresh();
  const dataset = s.rates.book.version;
  const { content, names, seq } = await inSnapshot(client, async (snapshot) => {
    const [head] = await snapshot.query<{ seq: number }>('SELECT seq FROM journal_heads WHERE psp_id = $1', [
      report.psp,
    ]);
    const concerned = await findAccount(snapshot, report.psp, report.account);
    if (!concerned) throw new Error(`the account ${report.account} is not there`);
    const run: ReportRun = {
      db: snapshot,
      psp: report.psp,
      account: report.account,
      concerned,
      only: report.account === report.psp ? undefined : report.account,
      parameters: report.parameters,
      now,
      progress,
    };
    const read = orThrow(kind.read(run, s));
    const made = await kind.run(run, s, read);
    const names = new Map(await accountNames(snapshot, report.psp, [...accountsOf(inEnglish(made))]));
    names.set(accountWire(report.psp, report.account), concerned.name);
    return { content: made, names, seq: head?.seq ?? 0 };
  });
  await checked(content);
  const decimals = new Map<string, number>();
  for (const currency of currenciesOf(inEnglish(content))) {
    const asset = s.reference.asset(currency, new Date(now).toISOString().slice(0, 10), true);
    if (!(asset instanceof Refusal)) decimals.set(currency, asset.decimals);
  }
  const head: ReportHead = {
    reportId: toWire('report', report.id),
    kind: report.kind,
    clientId: accountWire(report.psp, report.account),
    parameters: report.parameters,
    revision: report.revision,
    asOf: { journalSeq: seq, time: new Date(now).toISOString() },
    dataset,
  };
  const document = { head, content };
  return { document, made: await renderReport(document, { kind: kind.title, names, decimals }) };
}

/** @throws Refusal if it is too large, Error if its kind produced an invalid shape */
async function checked(said: SaidContent): Promise<void> {
  const content = inEnglish(said);
  const large = sizeProblem(content);
  if (large !== undefined) throw new Refusal('LIMIT_REACHED', large);
  const problem = await pieceByPiece(shapeProblem(content));
  if (problem !== undefined) throw new Error(`the report '${content.title}' is not sound: ${problem}`);
}
