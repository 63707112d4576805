// A transaction's timeline: what happened to it, by whom, and what changed.
import { resourceWire } from '../../core/entry-resources.ts';
import { changesBetween, type FieldChange, type HistoryStep, type Shown, transactionStep } from '../../core/history.ts';
import { accountWire, type PspId, toWire } from '../../core/ids.ts';
import { openedByRule } from '../../core/risk/review.ts';
import type { TransactionRecord } from '../../core/transaction.ts';
import { readToShow, type ShownEntry, unknownSchema } from '../../entries/read.ts';
import type { JournalEntry } from '../../platform/journal-entries.ts';
import type { Viewer } from '../accounts/index.ts';
import { adjustmentsAbout } from '../corrections/index.ts';
import { disputeAbout } from '../disputes/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { reviewsAbout } from '../reviews/index.ts';
import { nettingsAbout } from '../settlement/index.ts';
import { actorOf, type NameOf, namesOf, readableBody } from './entry-resource.ts';
import { entriesAbout } from './journal-reads.ts';

export interface HistoryItem {
  readonly at: string;
  readonly step: HistoryStep;
  readonly actor: { readonly account: string; readonly by: string; readonly name: string | null };
  /** Revision of the transaction from then on; null if it did not change itself. */
  readonly revision: number | null;
  readonly reason: string | null;
  readonly changes: readonly FieldChange[];
  readonly resourceId: string | null;
  readonly eventId: string | null;
  readonly seq: number | null;
  /** The resource at that time. */
  readonly data: unknown;
}

/** @param reviews whether the caller may see reviews */
export async function historyOf(
  s: Needs<'db'>,
  t: TransactionRecord,
  psp: PspId | undefined,
  reviews: boolean,
  viewer: Viewer,
): Promise<HistoryItem[]> {
  const [nettings, adjustments, dispute, looks] = await Promise.all([
    nettingsAbout(s.db, t.psp, t.id, t.chargeback?.id),
    adjustmentsAbout(s.db, t.psp, t.id),
    t.chargeback && disputeAbout(s.db, t.psp, t.chargeback.id),
    reviews ? reviewsAbout(s.db, t.psp, t.id) : [],
  ]);
  const entries = await entriesAbout(s.db, t.psp, [
    t.id,
    ...nettings,
    ...adjustments,
    ...[...looks, ...(dispute ? [dispute] : [])].map((r) => r.id),
  ]);
  const bodies = entries.map((e) => readableBody(e, readToShow(e.body), viewer));
  const named = await namesOf(s.db, psp, bodies);
  let before: Shown | undefined;
  const items = entries.map((e, i): HistoryItem => {
    const body = bodies[i] as ShownEntry;
    const item = entryItem(e, body, t, before, named);
    if (e.resource === t.id) before = unknownSchema(e.body) === undefined ? body.data : undefined;
    return item;
  });
  // Reviews that earlier versions opened by a rule have no entry of their own: they follow from the transaction's.
  for (const r of looks.filter((l) => l.openedBy === openedByRule)) {
    const resourceId = toWire('review', r.id);
    const first = items.findIndex((i) => i.resourceId === resourceId);
    if (items[first]?.step === 'REVIEW_OPENED') continue;
    items.splice(first < 0 ? items.length : first, 0, {
      at: r.createdAt,
      step: 'REVIEW_OPENED',
      actor: { account: accountWire(r.psp, r.psp), by: openedByRule, name: null },
      revision: null,
      reason: r.reason,
      changes: [],
      resourceId,
      eventId: null,
      seq: null,
      data: null,
    });
  }
  return items.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
}

/** Steps determined by the entry's kind alone. */
const stepOf: Readonly<Record<string, HistoryStep>> = {
  'chargeback.netted': 'NETTED',
  'chargeback.netting_released': 'NETTING_RELEASED',
  'dispute.opened': 'DISPUTED',
  'dispute.updated': 'EVIDENCE_SENT',
  'dispute.resolved': 'DISPUTE_RESOLVED',
  'review.opened': 'REVIEW_OPENED',
  'review.updated': 'REVIEW_CHANGED',
};

function entryItem(
  e: JournalEntry,
  body: ShownEntry,
  t: TransactionRecord,
  before: Shown | undefined,
  named: NameOf,
): HistoryItem {
  const data: Shown = body.data ?? {};
  const item = {
    at: body.timestamp,
    actor: actorOf(body, named),
    revision: null,
    reason: (body.evidence?.reason as string | undefined) ?? null,
    changes: [],
    resourceId: resourceWire(e.kind, e.psp, e.resource),
    eventId: toWire('event', e.id),
    seq: e.seq,
    data,
  };
  // The step of an entry with an unknown schema is not guessed.
  if (unknownSchema(e.body) !== undefined) return { ...item, step: 'UNKNOWN' };
  if (e.resource === t.id)
    return {
      ...item,
      step: transactionStep(before, data, body.evidence !== undefined),
      revision: body.version,
      reason: (data.reason as string | null) ?? null,
      changes: before ? changesBetween(before, data) : [],
    };
  const step = stepOf[e.kind];
  if (step !== undefined) return { ...item, step };
  if (e.kind === 'tax.adjusted') {
    // One entry covers many transactions; the others are not shown here.
    const id = toWire('transaction', t.id);
    const own = (data.adjustments as readonly Shown[]).find((a) => a.transactionId === id) ?? {};
    const [was, is] = [(own.before ?? {}) as Shown, (own.after ?? {}) as Shown];
    return { ...item, step: 'ADJUSTED', changes: changesBetween(was, is), data: own };
  }
  throw new Error(`${e.kind} is no step of a transaction`);
}
