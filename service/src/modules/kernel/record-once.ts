// Records something once per ref of the caller: the same request again gets the recorded answer, another one with the
// same ref is refused.
import { type Refusal, refuse, said } from '../../core/refusal.ts';
import { asCompared, firstDifference } from '../../core/request.ts';
import {
  type Command,
  type FactLoader,
  type Facts,
  type Need,
  need,
  type RefKey,
  type Writes,
} from '../../platform/committer.ts';
import type { Needs, Reply } from './operation.ts';

/** How a request is compared with the one that made the record `H`. */
export interface Repetition<H> {
  equal(before: H): boolean;
  conflict(before: H): Refusal;
}

export interface Once<H, G, R extends Reply> extends Repetition<H> {
  readonly key: RefKey;
  /** Loads the record with the ref. */
  readonly held: FactLoader<RefKey, H>;
  readonly needs: readonly Need<unknown>[];
  /** Further needs that the first facts name. */
  furtherNeeds?(facts: Facts): readonly Need<unknown>[];
  /** Keys of the command in addition to its ref's. */
  readonly keys?: readonly string[];
  /**
   * What the record is made from, or a refusal that also applies to a repetition. @param equal whether this is a
   * repetition
   */
  ready(facts: Facts, equal: boolean): G;
  /** The answer to a repetition. */
  replay(before: H): R;
  /** @returns the new record's id with its answer and the writes in addition to its own ref, or a refusal */
  record(
    facts: Facts,
    given: Exclude<G, Error>,
  ): { readonly id: string; readonly reply: R; readonly writes: Writes } | NotRecorded<R> | Error;
}

/** Nothing is recorded and the ref stays free, but something is left, such as an alert. */
interface NotRecorded<R> {
  readonly reply: R;
  readonly leaves: Writes;
}

export function recordOnce<H, G, R extends Reply>(once: Once<H, G, R>): Command<R> {
  const { key } = once;
  const held = need(once.held, key, true);
  return {
    account: key.account,
    keys: [`r|${key.space}|${key.account}|${key.ref}`, ...(once.keys ?? [])],
    needs: [held, ...once.needs],
    ...(once.furtherNeeds ? { furtherNeeds: (facts: Facts) => once.furtherNeeds?.(facts) ?? [] } : {}),
    decide(facts) {
      const before = facts(held);
      const equal = before !== undefined && once.equal(before);
      const given = once.ready(facts, equal);
      if (given instanceof Error) return given;
      if (before !== undefined)
        return equal ? { reply: { ...once.replay(before), replayed: true } } : once.conflict(before);
      const made = once.record(facts, given as Exclude<G, Error>);
      if (made instanceof Error) return made;
      if ('leaves' in made) return { reply: made.reply, writes: made.leaves };
      const { id, reply, writes } = made;
      return {
        reply,
        writes: { ...writes, refsNew: [{ ...key, target: id, revision: 1 }, ...(writes.refsNew ?? [])] },
      };
    },
  };
}

export const refConflict = (ref: string, field: string | undefined): Refusal =>
  refuse('REF_CONFLICT', said`the ref '${ref}' was used before with another '${field}'`);

/**
 * Compares canonical requests.
 * @param fields of the body, in the order in which the first difference is reported
 * @param requests the one that made the record, and this one in the same form
 */
export function byRequest<H>(
  { reference }: Needs<'reference'>,
  ref: string,
  fields: readonly string[],
  requests: (before: H) => readonly [string, string],
): Repetition<H> {
  const compared = (before: H) => asCompared(reference, ...requests(before));
  return {
    equal(before) {
      const [then, now] = compared(before);
      return then === now;
    },
    conflict: (before) => refConflict(ref, firstDifference(...compared(before), fields)),
  };
}
