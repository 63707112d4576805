// Activities as this process stored them last: a reader that continues where it stopped does not read them again. With
// thousands of clients each record is of another one.
import type { PspId } from '../../core/ids.ts';
import { readActivity } from '../../core/risk/activity.ts';
import { type Activities, activityName } from '../../core/risk/watch.ts';
import type { Database } from '../../platform/database.ts';
import { countSetAside } from '../../platform/entries-set-aside.ts';
import type { Journal } from '../../platform/journal-entries.ts';
import { Kept } from '../../platform/kept.ts';
import { type ActivityKey, activityTexts, riskReader, type Stored, storeActivities } from './watch-store.ts';

/** Where this process stopped in a PSP's journal; another object once the texts kept until then are not to be used. */
interface Mark {
  to: number;
}

interface KeptText {
  readonly text: string;
  readonly mark: Mark;
}

const mostBytes = 32 * 2 ** 20;

export class KeptActivities {
  /** By name. */
  readonly #texts = new Kept<KeptText>(mostBytes, ({ text }) => text.length + 300);
  readonly #marks = new Map<PspId, Mark>();

  /**
   * The activities of keys before these entries, whose cursors must be locked.
   * @returns `store`: stores them, and keeps them once that is committed
   */
  async load(tx: Database, journals: readonly Journal[], keys: readonly ActivityKey[]) {
    const psps = journals.map((j) => j.psp);
    // What was set aside is read again later and moves no cursor then: nothing would say that another process has read it.
    const keeps = (await countSetAside(tx, riskReader, psps)) === 0;
    for (const { psp, between } of journals)
      if (!keeps || between?.from !== this.#marks.get(psp)?.to) this.#marks.delete(psp);
    const activities: Activities = new Map();
    const missing = keys.filter((k) => {
      const name = activityName(k.psp, k.of, k.key);
      const kept = this.#texts.get(name);
      if (!kept || kept.mark !== this.#marks.get(k.psp)) return true;
      activities.set(name, readActivity(kept.text));
      return false;
    });
    for (const [name, text] of await activityTexts(tx, missing)) activities.set(name, readActivity(text));
    const store = async (): Promise<void> => {
      const stored = await storeActivities(tx, keys, activities);
      if (keeps) tx.afterCommit?.(() => this.#keep(journals, stored));
    };
    return { activities, store };
  }

  #keep(journals: readonly Journal[], stored: readonly Stored[]): void {
    for (const { psp, between } of journals) {
      const mark = this.#marks.get(psp);
      if (!between) this.#marks.delete(psp);
      else if (mark) mark.to = between.to;
      else this.#marks.set(psp, { to: between.to });
    }
    for (const { psp, name, text } of stored) {
      const mark = this.#marks.get(psp);
      if (mark) this.#texts.set(name, { text, mark });
    }
  }
}
