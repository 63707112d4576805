// The journal reader that evaluates the rules of the risk book: it counts each record, keeps what matched, and opens the
// reviews of rules that ask for one. It never changes a decision.
import { scheduler } from 'node:timers/promises';
import { isoTime } from '../../core/calendar.ts';
import { toWire } from '../../core/ids.ts';
import { keysOf } from '../../core/risk/counters.ts';
import type { SeenEvent } from '../../core/risk/replay.ts';
import { opensAlert, type RiskEvent, type RiskRule } from '../../core/risk/rule.ts';
import { activityName, type Counted, countEvent, countedBy, type Match, matching } from '../../core/risk/watch.ts';
import { phrase, stored } from '../../core/said.ts';
import type { Database, Pool } from '../../platform/database.ts';
import type { Journal } from '../../platform/journal-entries.ts';
import { JournalReader } from '../../platform/journal-reader.ts';
import { errorFields } from '../../platform/log.ts';
import type { HasAccounts } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { type Alert, openAlerts } from '../reviews/index.ts';
import type { HasRiskBook } from './book-keeper.ts';
import { clientsOf } from './clients.ts';
import { readEvents } from './events.ts';
import { KeptActivities } from './kept-activities.ts';
import { type ActivityKey, keepMatches, riskReader, type StoredMatch } from './watch-store.ts';
import { watchedKinds } from './watched-kinds.ts';

/** Records evaluated without a break: a few milliseconds, so that no decision is delayed longer. */
const breath = 50;

type Reading = Needs<'clock' | 'ids' | 'log' | 'committer'> & HasAccounts & HasRiskBook;

export function makeRiskReader(s: Reading, pool: Pick<Pool, 'query' | 'transaction'>): JournalReader {
  const kept = new KeptActivities();
  return new JournalReader({
    name: riskReader,
    pool,
    log: s.log,
    kinds: watchedKinds,
    limit: 2000,
    gapMs: 100,
    clock: s.clock,
    async readAll(tx, journals) {
      const events = await readEvents(
        tx,
        journals.flatMap((j) => j.entries),
      );
      if (events.length > 0) await watch(s, tx, kept, journals, events);
    },
  });
}

async function watch(
  s: Reading,
  tx: Database,
  known: KeptActivities,
  journals: readonly Journal[],
  events: readonly SeenEvent[],
): Promise<void> {
  // A record is never evaluated by less than what was in force when it was recorded, though another process approved it.
  await s.riskBook.refresh(tx);
  const { rules, shadows, declining, holding } = s.riskBook.inForce;
  const opens = (rule: RiskRule, { psp, operation }: RiskEvent): boolean =>
    opensAlert(rule, operation, {
      holds: holding.get(psp)?.has(rule.id) === true,
      declines: declining.get(psp)?.some((r) => r.rule.id === rule.id) === true,
    });
  const kept = countedBy([...rules, ...shadows]);
  const keys = keysToKeep(events, kept);
  const { activities, store } = await known.load(tx, journals, keys);
  const clients = await clientsOf(s, tx, events);
  const failed = (rule: RiskRule, e: unknown) =>
    s.log.error({ rule: rule.id, version: rule.version, ...errorFields(e) }, 'a risk rule could not be evaluated');
  const matches: (StoredMatch & { readonly all: boolean })[] = [];
  const alerts: Alert[] = [];
  for (const [i, { event, counted, before }] of events.entries()) {
    if (i % breath === breath - 1) await scheduler.yield();
    if (counted !== undefined) countEvent(activities, event, counted, kept, before);
    const client = clients(event);
    for (const m of matching(rules, event, client, activities, failed)) {
      const all = opens(m.rule, event);
      matches.push({ ...storedMatch(event, m, false), all });
      if (all) alerts.push(alertOf(event, m));
    }
    for (const m of matching(shadows, event, client, activities, failed))
      matches.push({ ...storedMatch(event, m, true), all: false });
  }
  await store();
  await keepMatches(tx, matches);
  // Last, since it takes the lock of the journal's end.
  await openAlerts(tx, s, alerts, isoTime(s.clock()));
}

function keysToKeep(events: readonly SeenEvent[], kept: Counted): ActivityKey[] {
  const keys = new Map<string, ActivityKey>();
  for (const { event } of events)
    for (const [of, key] of keysOf(event.keys))
      if (kept.has(of)) keys.set(activityName(event.psp, of, key), { psp: event.psp, of, key });
  return [...keys.values()];
}

const storedMatch = (e: RiskEvent, { rule, counters }: Match, shadow: boolean): StoredMatch => ({
  psp: e.psp,
  record: e.record,
  rule: rule.id,
  version: rule.version,
  operation: e.operation,
  account: e.account,
  shadow,
  currency: e.currency,
  amount: e.amount,
  counters,
  at: isoTime(e.at),
});

const alertOf = (e: RiskEvent, { rule, findings }: Match): Alert => ({
  psp: e.psp,
  account: e.account,

  rule: rule.id,
  ruleVersion: String(rule.version),
  severity: rule.severity,
  ...saidOf(e, rule),
  findings,
  person: e.person,
});

/** An alert about a wager or payout names it in its reason: only transactions have a field of their own. */
function saidOf({ operation, record }: RiskEvent, { reason }: RiskRule) {
  if (operation !== 'captureWager' && operation !== 'capturePayout') return { transaction: record, reason };
  const about = toWire(operation === 'captureWager' ? 'wager' : 'payout', record);
  return { about, reason: stored`${phrase(reason)} See ${about}.` };
}
