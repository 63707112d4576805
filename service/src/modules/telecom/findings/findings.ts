// All findings on the records of a period, as sections of a report. The records are read a day at a time, so that the
// work of each statement is bounded by a day's records.
import type { PspId } from '../../../core/ids.ts';
import type { SaidSection } from '../../../core/reports/document.ts';
import type { Database } from '../../../platform/database.ts';
import { nearDuplicateSection, overlapSection, sharedDeviceSection, standoutSection } from './call-sections.ts';
import { type CallerOf, readBusyCallers } from './callers.ts';
import { readDelivered } from './delivery.ts';
import { deliverySections } from './delivery-sections.ts';
import { type Overlap, readOverlaps, readSharedDevices } from './devices.ts';
import { type MatchedDay, readMatches } from './matching.ts';
import { matchingSections } from './matching-sections.ts';
import { type NearDuplicate, readNearDuplicates } from './repeats.ts';
import { findingsScope } from './scope.ts';
import { append, emptyList, type Listed } from './section-parts.ts';
import { daysOf, type FindingsPeriod } from './slice.ts';
import { readTraffic, type TrafficOf } from './traffic.ts';
import { trafficSections } from './traffic-sections.ts';

export interface FindingsAsked {
  /** Reads from one snapshot of the database. */
  readonly db: Database;
  readonly psp: PspId;
  /** The account (uuid) to examine; undefined for all accounts of the PSP, including calls between them. */
  readonly only: string | undefined;
  readonly period: FindingsPeriod;
  /** Called after each day, and at the end. */
  progress(done: number, of: number): void;
}

/** @returns sections in reading order: deliveries, how calls went, conspicuous calls */
export async function cdrFindings(asked: FindingsAsked): Promise<SaidSection[]> {
  const s = await findingsScope(asked.db, asked.psp, asked.only, asked.period);
  const matching = s.accounts.length > 1;
  const days = daysOf(s.period);
  const traffic: TrafficOf[] = [];
  const busy: CallerOf[] = [];
  const matches: MatchedDay[][] = [];
  const near: Listed<NearDuplicate> = emptyList();
  const overlaps: Listed<Overlap> = emptyList();
  const nearOf = new Map<string, number>();
  for (const [i, day] of days.entries()) {
    traffic.push(...(await readTraffic(s, day)));
    const repeated = await readNearDuplicates(s, day);
    append(near, repeated);
    for (const [account, n] of repeated.byAccount) nearOf.set(account, (nearOf.get(account) ?? 0) + n);
    append(overlaps, await readOverlaps(s, day));
    busy.push(...(await readBusyCallers(s, day)));
    if (matching) matches.push(await readMatches(s, day));
    asked.progress(i + 1, days.length + 1);
  }
  const shared = await readSharedDevices(s);
  const delivered = await readDelivered(s);
  const sections = [
    ...(await deliverySections(s, delivered)),
    ...trafficSections(s, days, traffic, delivered, nearOf),
    nearDuplicateSection(s, near),
    ...(matching ? matchingSections(s, matches) : []),
    standoutSection(s, busy, shared),
    sharedDeviceSection(s, shared),
    overlapSection(s, overlaps),
  ];
  asked.progress(days.length + 1, days.length + 1);
  return sections;
}
