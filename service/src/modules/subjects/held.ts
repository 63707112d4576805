// What keeps a person's data from being erased: an alert that nobody has resolved, a case about the person, and what was
// recorded before and not looked through for alerts yet.
import { setTimeout as pause } from 'node:timers/promises';
import { isoTime } from '../../core/calendar.ts';
import { type PspId, toWire } from '../../core/ids.ts';
import { refuse, said } from '../../core/refusal.ts';
import type { Database } from '../../platform/database.ts';
import { haveRead, headsOf } from '../../platform/journal-cursor.ts';
import { findHeldCase } from '../cases/index.ts';
import { observedAlertsReader } from '../observed-alerts/index.ts';
import { findOpenReview } from '../reviews/index.ts';
import { riskReader } from '../risk/index.ts';
import { screeningReader } from '../screening/index.ts';

const yearMs = 31_557_600_000;
/** How long evidence of money laundering is kept at least: AMLD article 40(1), AMLR article 77, FATF recommendation 11. */
const heldYears = 5;
const ofClient = /^account:(.+)$/;

/** Those that raise alerts. An alert keeps the person until it is in a case, so that none waits for the reader of cases. */
const readers = [riskReader, observedAlertsReader, screeningReader];
/** Readers come by within a second of what was recorded; one that is woken by nobody looks every five. */
const looks = { number: 100, everyMs: 100 };

/**
 * Waits until all that was recorded of the PSP when this was called is looked through for alerts: an alert that came after
 * the erasure would be about somebody whom nobody can name any more.
 * @returns false if it takes longer
 */
export async function lookedThrough(db: Database, psp: PspId): Promise<boolean> {
  const head = (await headsOf(db, [psp])).get(psp) ?? 0;
  for (let look = 1; look < looks.number; look++) {
    if (await haveRead(db, psp, readers, head)) return true;
    await pause(looks.everyMs);
  }
  return haveRead(db, psp, readers, head);
}

export interface Held {
  /** The case, or the alert that is in no case yet, as on the wire; null where it is not known yet whether there is one. */
  readonly id: string | null;
  readonly kind: 'CASE' | 'ALERT' | 'UNREAD';
  /** Day on which the years of the law are over; null while it is open. */
  readonly until: string | null;
}

/**
 * @param subjects keyed hashes and accounts, as in subject_keys
 * @param read whether all before the request is looked through for alerts
 */
export async function findHeld(
  db: Database,
  psp: PspId,
  subjects: readonly string[],
  now: number,
  read: boolean,
): Promise<Held | undefined> {
  const clients = subjects.flatMap((subject) => ofClient.exec(subject)?.[1] ?? []);
  const found = await findHeldCase(db, psp, subjects, clients, isoTime(now - heldYears * yearMs));
  const kept = found && { id: toWire('case', found.id), kind: 'CASE' as const, until: lastDay(found.closedAt) };
  if (kept?.until === null) return kept;
  const alert = await findOpenReview(db, psp, subjects, clients);
  if (alert) return { id: toWire('review', alert.id), kind: 'ALERT', until: null };
  return kept ?? (read ? undefined : { id: null, kind: 'UNREAD', until: null });
}

const lastDay = (closedAt: string | null): string | null =>
  closedAt === null ? null : isoTime(Date.parse(closedAt) + heldYears * yearMs).slice(0, 10);

/** What a case rests on is kept while the case is open, and for the years of the law if something was wrong. @throws STATE_CONFLICT */
export async function expectNotHeld(...asked: Parameters<typeof findHeld>): Promise<void> {
  const held = await findHeld(...asked);
  if (held === undefined) return;
  const { id, kind, until } = held;
  if (id === null)
    throw refuse(
      'STATE_CONFLICT',
      'what was recorded before this request is not looked through for alerts yet; nothing was erased: send the request again in a minute, and if that lasts, ask who operates the service',
    );
  if (kind === 'ALERT')
    throw refuse(
      'STATE_CONFLICT',
      said`the person's data is kept for the open alert ${id}; erase it after the alert is resolved, and do not tell the person of the alert`,
    );
  if (until === null)
    throw refuse(
      'STATE_CONFLICT',
      said`the person's data is kept for the open case ${id}; erase it after the case is closed, and do not tell the person of the case`,
    );
  throw refuse(
    'STATE_CONFLICT',
    said`the person's data is kept until ${until} for the case ${id}, in which something was confirmed or reported; do not tell the person of the case`,
  );
}
