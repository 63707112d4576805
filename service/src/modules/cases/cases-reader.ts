// The journal reader that gathers alerts in cases: those of one client, or of one person, join its open case or open one.
// Those of a rule that the PSP switched on for it put the client or the wallet on hold in the same commit. It changes no alert.
import { isoTime } from '../../core/calendar.ts';
import { type Case, joined, opened } from '../../core/cases/case.ts';
import { type PspId, toWire } from '../../core/ids.ts';
import type { Review } from '../../core/risk/review.ts';
import type { Writes } from '../../platform/committer.ts';
import type { Database, Pool } from '../../platform/database.ts';
import { JournalReader } from '../../platform/journal-reader.ts';
import type { HasAccounts } from '../accounts/index.ts';
import { about, journalRow } from '../kernel/journal.ts';
import type { Needs } from '../kernel/needs.ts';
import { reviewsNamed } from '../reviews/index.ts';
import type { HasRiskBook } from '../risk/index.ts';
import { policyOf } from './asked-case.ts';
import { caseResource, itemInEntry } from './case-resource.ts';
import { alertsInCases, type CaseItem, caseRef, caseRow, itemRow, lockOpenCase, nextNumber } from './case-store.ts';
import { caseWire } from './change-case.ts';
import { byService, type HeldByRules, HoldsByRules } from './holds-by-rules.ts';

const casesReader = 'cases';

type Uses = Needs<'settings' | 'clock' | 'ids' | 'log' | 'committer'> & HasAccounts & HasRiskBook;

export function makeCasesReader(services: Uses, pool: Pick<Pool, 'query' | 'transaction'>): JournalReader {
  return new JournalReader({
    name: casesReader,
    pool,
    log: services.log,
    kinds: ['review.opened'],
    limit: 500,
    gapMs: 100,
    clock: services.clock,
    async readAll(tx, journals) {
      await services.riskBook.refresh(tx);
      const writes: Writes[] = [];
      for (const { psp, entries } of journals)
        if (entries.length > 0) writes.push(...(await gathered(services, tx, psp, entries)));
      if (writes.length === 0) return;
      const failed = await services.committer.within(tx, writes);
      if (failed.length > 0) throw new Error('a case was changed at the same moment; its alerts are gathered again');
    },
  });
}

async function gathered(
  s: Uses,
  tx: Database,
  psp: PspId,
  entries: readonly { readonly resource: string }[],
): Promise<Writes[]> {
  const ids = entries.map((e) => toWire('review', e.resource));
  const key = { psp, ids };
  const [found, known] = [
    (await reviewsNamed.load(tx, [key])).get(reviewsNamed.text(key)),
    await alertsInCases(tx, psp, ids),
  ];
  // What was resolved before a case could gather it needs none.
  const open = (found ?? []).filter((r) => r.state === 'OPEN' && !known.has(toWire('review', r.id)));
  const writes: Writes[] = [];
  let number: number | undefined;
  const holds = await HoldsByRules.read(s, tx, psp, open);
  for (const [, alerts] of Map.groupBy(open, (r) => `${r.account}|${r.person ?? ''}`)) {
    const [{ account, person }] = alerts as [Review];
    const before = await lockOpenCase(tx, psp, account, person);
    if (!before) number = number === undefined ? await nextNumber(tx, psp) : number + 1;
    const to = before ?? { psp, id: s.ids.next(), account, number: number as number, person };
    writes.push(written(s, to, alerts, holds.place(account, alerts, caseWire(to))));
  }
  return writes;
}

/** @param to the open case, or what a new one begins with */
function written(
  s: Uses,
  to: Case | Pick<Case, 'psp' | 'id' | 'account' | 'number' | 'person'>,
  alerts: readonly Review[],
  held: HeldByRules,
): Writes {
  const at = isoTime(s.clock());
  const severities = alerts.map((a) => a.severity);
  const before = 'state' in to ? to : undefined;
  const after = before
    ? { ...joined(before, severities, policyOf(s), at), version: before.version + 1, updatedAt: at }
    : opened(to, severities, policyOf(s), at);
  const item = (kind: CaseItem['kind'], about: string, content: CaseItem['content']): CaseItem => ({
    ...{ psp: after.psp, id: s.ids.next(), caseId: after.id, account: after.account, kind, about, content },
    ...{ sealed: null, subject: null, writtenBy: byService.actor, createdAt: at },
  });
  const items = [
    ...alerts.map((a) => item('ALERT', toWire('review', a.id), {})),
    ...held.holds.map(({ about, action, holdId }) => item('ACTION', about, { action, holdId })),
  ];
  const entry = journalRow(s, byService, at, {
    kind: before ? 'case.updated' : 'case.opened',
    ...about(after),
    data: caseResource(after),
    evidence: { step: 'alert', items: items.map(itemInEntry) },
  });
  return {
    ...(before
      ? { refsHeld: [{ ...caseRef(before), revision: before.version }] }
      : { refsNew: [{ ...caseRef(after), target: after.id, revision: 1 }] }),
    rows: [...held.rows, caseRow(after), ...items.map(itemRow), entry],
  };
}
