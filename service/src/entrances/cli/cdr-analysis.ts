// assay cdr analyse, totals, periods, close-period: the tax analysis of call detail records.
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { accountFromWire, toWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import { accountWire } from '../../core/transaction.ts';
import { findAnyAccount } from '../../modules/accounts/index.ts';
import {
  analysisProgress,
  analysisTotals,
  closing,
  figuresOf,
  forgetAnalyses,
  listPeriods,
  makeCdrAnalysis,
  pspsWithRecords,
  totalsResource,
} from '../../modules/telecom/index.ts';
import { add, needed, option } from './command.ts';
import { Unsound, UsageError } from './exit-codes.ts';
import type { Output } from './output.ts';
import { type Session, withSession } from './session.ts';

/** How often progress is told. */
const tellMs = 2_000;
const mostPeriods = 10_000;

async function whose({ services: s }: Session, wireId: string): Promise<{ psp: string; account: string }> {
  const id = accountFromWire(wireId);
  const account = id && (await findAnyAccount(s.db, id));
  if (!account) throw notFound();
  return { psp: account.psp, account: account.id };
}

function monthOf(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw new UsageError(`a month such as 2026-10 is expected, not '${text}'`);
  return text;
}

/** Analyses until nothing is left, here or in a process that runs beside this one. @returns records analysed here */
async function analyseAll({ services: s }: Session, out: Output, psp: string | undefined): Promise<number> {
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

/** @param cdr the group `assay cdr` */
export function analysisCommands(cdr: Command): void {
  add<{ rebuild?: true; psp?: string }>(
    cdr,
    'analyse',
    'class and tax what was recorded, until all of it is',
    [
      option('--rebuild', 'make everything again from the records, by the rules in force; closed months stay closed'),
      option('--psp <pspId>', 'only of this PSP'),
    ],
    (out, { rebuild, psp }) =>
      withSession(out, async (session) => {
        const { services: s } = session;
        const only = psp === undefined ? undefined : (await whose(session, psp)).psp;
        if (rebuild)
          for (const id of only === undefined ? await pspsWithRecords(s.db) : [only]) {
            out.remark(`${toWire('psp', id)} is made again`);
            await forgetAnalyses(s.db, id);
          }
        const analysed = await analyseAll(session, out, only);
        out.result({ analysed }, () => out.line(`${analysed} records analysed; see: assay cdr totals`));
      }),
  );
  add<{ client: string; period?: string }>(
    cdr,
    'totals',
    'show the totals of an operator by month, class and tax',
    [needed('--client <accountId>', 'the client or PSP'), option('--period <YYYY-MM>', 'only of this month')],
    (out, { client, period }) =>
      withSession(out, async (session) => {
        const { db } = session.services;
        const { psp, account } = await whose(session, client);
        const progress = await analysisProgress(db, psp);
        const lines = await analysisTotals(db, psp, account, period && monthOf(period));
        const items = figuresOf(lines).map(totalsResource);
        out.result({ items, progress }, () => {
          out.table(
            [
              { title: 'Month', value: (t) => t.period },
              { title: 'Of calls in', value: (t) => (t.late ? t.callPeriod : '-') },
              { title: 'Class', value: (t) => t.class },
              { title: 'Records', value: (t) => t.records, right: true },
              { title: 'Seconds', value: (t) => t.seconds, right: true },
              { title: 'Cost', value: (t) => JSON.stringify(t.cost), right: true },
              { title: 'Tax', value: (t) => JSON.stringify(t.tax), right: true },
              { title: '', value: (t) => t.currency },
              { title: 'Findings', value: (t) => t.findings.map((f) => `${f.code} ${f.records}`).join(', ') || '-' },
            ],
            items,
          );
          if (!progress.complete)
            out.remark(
              `Not all is analysed: ${progress.read} of ${progress.entries} entries read, ${progress.setAside} set aside.`,
            );
        });
      }),
  );
  add<{ client: string }>(
    cdr,
    'periods',
    'list the months of an operator',
    [needed('--client <accountId>', 'the client or PSP')],
    (out, { client }) =>
      withSession(out, async (session) => {
        const { psp, account } = await whose(session, client);
        const items = await listPeriods(session.services.db, psp, account, mostPeriods);
        out.result({ items: items.map((p) => ({ ...p, account: accountWire(psp, p.account) })) }, () =>
          out.table(
            [
              { title: 'Month', value: (p) => p.period },
              { title: 'State', value: (p) => p.state },
              { title: 'Records', value: (p) => p.records, right: true },
              { title: 'Late', value: (p) => p.late, right: true },
              { title: 'Closed', value: (p) => p.closedAt },
            ],
            items,
          ),
        );
      }),
  );
  add<{ client: string }>(
    cdr,
    'close-period <YYYY-MM>',
    'close a month of an operator: what comes later counts in the next',
    [needed('--client <accountId>', 'the client or PSP')],
    (out, { client }, month) =>
      withSession(out, async (session) => {
        const { services: s, principal, now } = session;
        const of = await whose(session, client);
        const { content } = await s.committer.submit(closing(s, principal, of, monthOf(month as string), now));
        out.result(content, () => out.line(`${month} is closed`));
      }),
  );
}
