// The activity of a key as a declining rule counts it: what the reader of the journal has counted, and what it has yet to read.
import type { PspId } from '../../core/ids.ts';
import { activityText, readActivity } from '../../core/risk/activity.ts';
import { dimensions } from '../../core/risk/counters.ts';
import { type Activities, activityName, countEvent } from '../../core/risk/watch.ts';
import type { FactLoader, RefKey } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { entriesNaming } from './event-store.ts';
import { readEvents } from './events.ts';
import { type ActivityKey, countedUpTo } from './watch-store.ts';

export interface Now {
  /** Activity as text, so that each decision counts in a copy of its own; empty where the key was never seen. */
  readonly text: string;
  /** Of its gate; 0 if there is none yet. */
  readonly revision: number;
}

/** Gates of a PSP. Keys that share one wait for each other, and for nothing more. */
const gateCount = 1024;

/** The ref that whatever counts for a key holds: its revision grows with each. */
export function gateOf({ psp, of, key }: ActivityKey): RefKey {
  let n = 0;
  for (const c of `${of} ${key}`) n = (n * 31 + (c.codePointAt(0) as number)) % 1_000_003;
  return { psp, space: 'risk', ref: `gate-${n % gateCount}`, account: psp };
}

/** What may be counted with a key, whichever rule asks. */
const all = new Set(dimensions);

const nameOf = (k: ActivityKey): string => activityName(k.psp, k.of, k.key);

/** Never from memory: another process may have recorded something a moment ago. */
export const activityNow: FactLoader<ActivityKey, Now> = {
  name: 'risk-activity',
  text: nameOf,
  async load(db, keys) {
    // The gate first, then the entries: what is recorded between the two makes the commit fail, and is counted at the next try.
    const counted = await countedUpTo(
      db,
      keys,
      keys.map((k) => gateOf(k).ref),
    );
    const now = new Map(counted.map((c): [string, Now] => [nameOf(c), { text: c.state ?? '', revision: c.revision }]));
    for (const [psp, of] of Map.groupBy(counted, (c) => c.psp)) {
      const behind = Math.min(...of.map((c) => c.seq));
      for (const [name, text] of await countUnread(db, psp, of, behind, now))
        now.set(name, { text, revision: now.get(name)?.revision ?? 0 });
    }
    return now;
  },
};

/** Counts the entries that the reader has not read. @returns the activities that they change */
async function countUnread(
  db: Database,
  psp: PspId,
  keys: readonly ActivityKey[],
  after: number,
  now: ReadonlyMap<string, Now>,
): Promise<Map<string, string>> {
  const entries = await entriesNaming(db, psp, after, keys);
  const events = entries.length === 0 ? [] : await readEvents(db, entries);
  const changed = new Map<string, string>();
  for (const k of events.length === 0 ? [] : keys) {
    const name = nameOf(k);
    const text = now.get(name)?.text;
    const activities: Activities = new Map(text ? [[name, readActivity(text)]] : []);
    const mine = events.filter(({ event, counted }) => counted !== undefined && event.keys[k.of] === k.key);
    for (const { event, counted, before } of mine)
      if (counted !== undefined) countEvent(activities, event, counted, new Map([[k.of, all]]), before);
    const activity = activities.get(name);
    if (mine.length > 0 && activity) changed.set(name, activityText(activity));
  }
  return changed;
}
