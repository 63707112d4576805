// The journal reader that gathers alerts in cases: those of one client, or of one person, join its open case or open one.
// It changes no alert.
import { isoTime } from '../../core/calendar.ts';
import { type Case, joined, opened } from '../../core/cases/case.ts';
import { type PspId, toWire } from '../../core/ids.ts';
import type { Review } from '../../core/risk/review.ts';
import type { Writes } from '../../platform/committer.ts';
import type { Database, Pool } from '../../platform/database.ts';
import { JournalReader } from '../../platform/journal-reader.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Needs } from '../kernel/needs.ts';
import { type Principal, system } from '../kernel/principal.ts';
import { reviewsNamed } from '../reviews/index.ts';
import { policyOf } from './asked-case.ts';
import { caseResource, itemTold } from './case-resource.ts';
import { alertsInCases, type CaseItem, caseRef, caseRow, itemRow, lockOpenCase, nextNumber } from './case-store.ts';

export const casesReader = 'cases';

type Uses = Needs<'settings' | 'clock' | 'ids' | 'log' | 'committer'>;

const byService: Principal = { ...system, actor: 'rule' };

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
  for (const [, alerts] of Map.groupBy(open, (r) => `${r.account}|${r.person ?? ''}`)) {
    const [{ account, person }] = alerts as [Review];
    const before = await lockOpenCase(tx, psp, account, person);
    if (before) writes.push(written(s, before, alerts));
    else {
      number = number === undefined ? await nextNumber(tx, psp) : number + 1;
      writes.push(written(s, { psp, id: s.ids.next(), account, number, person }, alerts));
    }
  }
  return writes;
}

/** @param to the open case, or what a new one begins with */
function written(
  s: Uses,
  to: Case | Pick<Case, 'psp' | 'id' | 'account' | 'number' | 'person'>,
  alerts: readonly Review[],
): Writes {
  const at = isoTime(s.clock());
  const severities = alerts.map((a) => a.severity);
  const before = 'state' in to ? to : undefined;
  const after = before
    ? { ...joined(before, severities, policyOf(s), at), version: before.version + 1, updatedAt: at }
    : opened(to, severities, policyOf(s), at);
  const items = alerts.map(
    (a): CaseItem => ({
      ...{ psp: after.psp, id: s.ids.next(), caseId: after.id, account: after.account, kind: 'ALERT' },
      about: toWire('review', a.id),
      content: {},
      ...{ sealed: null, subject: null, writtenBy: byService.actor, createdAt: at },
    }),
  );
  const entry = journalRow(s, byService, at, {
    kind: before ? 'case.updated' : 'case.opened',
    psp: after.psp,
    account: after.account,
    resourceId: after.id,
    version: after.version,
    data: caseResource(after),
    evidence: { step: 'alert', items: items.map(itemTold) },
  });
  return {
    accounts: [],
    ...(before
      ? { refsHeld: [{ ...caseRef(before), revision: before.version }] }
      : { refsNew: [{ ...caseRef(after), target: after.id, revision: 1 }] }),
    rows: [caseRow(after), ...items.map(itemRow), entry],
  };
}
