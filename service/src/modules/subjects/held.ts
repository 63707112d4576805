// What keeps a person's data from being erased: an alert that nobody has resolved, and a case about the person.
import { isoTime } from '../../core/calendar.ts';
import { type PspId, toWire } from '../../core/ids.ts';
import { refuse, said } from '../../core/refusal.ts';
import type { Database } from '../../platform/database.ts';
import { findHeldCase } from '../cases/index.ts';
import { findOpenReview } from '../reviews/index.ts';

const yearMs = 31_557_600_000;
/** How long evidence of money laundering is kept at least: AMLD article 40(1), AMLR article 77, FATF recommendation 11. */
const heldYears = 5;
const ofClient = /^account:(.+)$/;

export interface Held {
  /** The case, or the alert that is in no case yet, as on the wire. */
  readonly id: string;
  readonly kind: 'CASE' | 'ALERT';
  /** Day on which the years of the law are over; null while it is open. */
  readonly until: string | null;
}

/** @param subjects keyed hashes and accounts, as in subject_keys */
export async function findHeld(
  db: Database,
  psp: PspId,
  subjects: readonly string[],
  now: number,
): Promise<Held | undefined> {
  const clients = subjects.flatMap((subject) => ofClient.exec(subject)?.[1] ?? []);
  const found = await findHeldCase(db, psp, subjects, clients, isoTime(now - heldYears * yearMs));
  const kept = found && { id: toWire('case', found.id), kind: 'CASE' as const, until: lastDay(found.closedAt) };
  if (kept?.until === null) return kept;
  const alert = await findOpenReview(db, psp, subjects, clients);
  return alert ? { id: toWire('review', alert.id), kind: 'ALERT', until: null } : kept;
}

const lastDay = (closedAt: string | null): string | null =>
  closedAt === null ? null : isoTime(Date.parse(closedAt) + heldYears * yearMs).slice(0, 10);

/** What a case rests on is kept while the case is open, and for the years of the law if something was wrong. @throws STATE_CONFLICT */
export async function expectNotHeld(...asked: Parameters<typeof findHeld>): Promise<void> {
  const held = await findHeld(...asked);
  if (held === undefined) return;
  const { id, kind, until } = held;
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
    said`the person's data is kept until ${until} for the case ${id}, which was confirmed or reported; do not tell the person of the case`,
  );
}
