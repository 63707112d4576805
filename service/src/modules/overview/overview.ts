// Current activity, read from daily totals and indexed counts: nothing here scans transactions.
import { dayMs, isoTime, localDate } from '../../core/calendar.ts';
import { type PspId, timeOfId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { countPresent, followerName } from '../../platform/presence.ts';
import { sealingLag } from '../audit/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { sumOfWaits, type WaitingFigure, type Waits, waitingFigures } from '../kernel/waits.ts';
import { cdrWaits } from '../telecom/index.ts';
import { totalsBehind, type VerdictSum, verdictSums, zoneOfDays } from '../totals/index.ts';
import { type RecentMinute, recentMinutes } from '../transactions/index.ts';
import { endingLicences } from '../verification/index.ts';
import { webhookWaits } from '../webhooks/index.ts';
import { countsOf, linesBy } from './figures.ts';
import { countOpenProposals, disputesDue, lookedInto } from './waiting-counts.ts';

export interface Scope {
  readonly kind: 'operator' | 'psp' | 'client';
  readonly psps: readonly PspId[];
  /** Limits it to this account. */
  readonly account: string | undefined;
  /** Time zone that determines today's date. */
  readonly timeZone: string;
}

const recentMs = 15 * 60_000;
/** Maximum recent transactions counted. */
const recentMost = 10_000;
const dueSoonMs = 7 * dayMs;

export async function overview(s: Needs<'db' | 'rates'>, scope: Scope, days: number, now: number) {
  const { psps, account } = scope;
  const today = localDate(scope.timeZone, now);
  const from = new Date(Date.parse(`${today}T00:00:00Z`) - (days - 1) * dayMs).toISOString().slice(0, 10);
  // Read first: what is read next is then at least as new as this says.
  const entriesBehind = await totalsBehind(s.db, psps);
  const [sums, minutes, waits] = await Promise.all([
    verdictSums(s.db, psps, account, from),
    recentMinutes(s.db, psps, account, isoTime(now - recentMs), recentMost),
    attention(s, scope, now),
  ]);
  const ofDays = sums.filter((l) => l.day !== null);
  // Further east it may already be tomorrow.
  const last = ofDays.at(-1)?.day ?? today;
  return {
    scope: scope.kind,
    at: isoTime(now),
    period: { from, to: last > today ? last : today, days },
    counts: countsOf(ofDays),
    amounts: linesBy(ofDays, () => ({})),
    byDay: linesBy(ofDays, (l: VerdictSum) => ({ day: l.day as string })),
    byCountry: linesBy(
      sums.filter((l) => l.country !== null),
      (l) => ({ countryCode: l.country as string, timeZone: zoneOfDays(s, l.country as string) }),
    ),
    entriesBehind,
    recent: recent(minutes, now),
    attention: waits,
  };
}

const statuses = { APPROVED: 'approved', DECLINED: 'declined', PENDING: 'pending' } as const;

function recent(minutes: readonly RecentMinute[], now: number) {
  const none = () => ({ approved: 0, declined: 0, pending: 0 });
  const whole = none();
  const byMinute = new Map<string, ReturnType<typeof none>>();
  for (const m of minutes) {
    const one = byMinute.get(m.at) ?? none();
    one[statuses[m.status]] += m.count;
    whole[statuses[m.status]] += m.count;
    byMinute.set(m.at, one);
  }
  const counted = whole.approved + whole.declined + whole.pending;
  const since = minutes.map((m) => m.since).reduce((a, b) => (a < b ? a : b), isoTime(now));
  return {
    // If there were more than can be counted, the counted period starts later.
    from: counted < recentMost ? isoTime(now - recentMs) : since,
    to: isoTime(now),
    ...whole,
    minutes: [...byMinute].map(([at, counts]) => ({ at, ...counts })),
  };
}

/** Clients learn nothing of what is looked into. */
const untold = { openReviews: null, openCases: null, overdueCases: null, openMatches: null };

/** What waits, by PSP. */
export async function waiting(db: Database, { kind, psps, account }: Scope, now: number): Promise<Waits[]> {
  const at = isoTime(now);
  const waits = await Promise.all([
    webhookWaits(db, psps, account),
    cdrWaits(db, psps, account),
    disputesDue(db, psps, account, at, isoTime(now + dueSoonMs)),
    kind === 'client' ? [] : lookedInto(db, psps, account, at),
  ]);
  return waits.flat();
}

async function attention(s: Needs<'db'>, scope: Scope, now: number) {
  const { kind, psps, account, timeZone } = scope;
  const [waits, seal, openProposals, licences, backgroundProcesses] = await Promise.all([
    waiting(s.db, scope, now),
    sealingLag(s.db, psps),
    kind === 'client' ? null : countOpenProposals(s.db, kind === 'operator' ? undefined : psps[0]),
    endingLicences(s.db, psps, account, localDate(timeZone, now)),
    kind === 'operator' ? countPresent(s.db, followerName) : null,
  ]);
  const figures = waitingFigures.map((figure) => [figure, sumOfWaits(waits, figure)]);
  return {
    ...(Object.fromEntries(figures) as Record<WaitingFigure, number>),
    ...(kind === 'client' ? untold : {}),
    endingLicences: licences,
    openProposals,
    backgroundProcesses,
    unsealedEntries: seal.entries,
    sealingLagS: seal.oldest === undefined ? 0 : Math.max(0, Math.round((now - timeOfId(seal.oldest)) / 1000)),
  };
}
