// What a caller expects of a thing that its call replaces: conditional requests of RFC 9110 (If-Match, If-None-Match).
// Decided where the change is decided, over the state that is then held, so that nothing comes between.
import { type Refusal, refuse } from '../../core/refusal.ts';
import { sha256 } from '../../platform/hashing.ts';

/** What the thing consists of that a call replaces; undefined if there is none yet. */
export type State = readonly unknown[] | undefined;

/** Entity tags as they were sent, weak ones with their `W/`; `*` for whatever there is. */
export interface Condition {
  readonly match?: readonly string[] | '*' | undefined;
  readonly noneMatch?: readonly string[] | '*' | undefined;
}

/** The strong entity tag of a state: the same state has the same tag. */
export const tagOf = (state: readonly unknown[]): string =>
  `"${Buffer.from(sha256(Buffer.from(JSON.stringify(state))))
    .toString('base64url')
    .slice(0, 22)}"`;

/**
 * The refusal if the state is another one than the caller expects. What a change finds done already is not asked: a call that is
 * repeated is answered as the first was (RFC 9110, 13.1.1).
 */
export function unexpected(condition: Condition | undefined, state: State): Refusal | undefined {
  if (condition === undefined) return undefined;
  const { match, noneMatch } = condition;
  const tag = state && tagOf(state);
  // Strong comparison: a weak tag is never equal. If-None-Match compares weakly.
  if (match !== undefined && !(match === '*' ? tag !== undefined : tag !== undefined && match.includes(tag)))
    return refuse(
      'PRECONDITION',
      tag === undefined
        ? "nothing is saved: there is nothing yet that could be replaced; leave out the header 'if-match'"
        : 'nothing is saved, for it was changed after you read it: read it again, and make your change to what is there now',
    );
  if (noneMatch !== undefined && tag !== undefined)
    if (noneMatch === '*' || noneMatch.some((t) => t === tag || t === `W/${tag}`))
      return refuse(
        'PRECONDITION',
        "nothing is saved: there is one already; read it, and send its ETag in the header 'if-match' to replace it",
      );
  return undefined;
}

/** @throws PRECONDITION if the state is another one than the caller expects */
export function expectState(condition: Condition | undefined, state: State): void {
  const refusal = unexpected(condition, state);
  if (refusal) throw refusal;
}
