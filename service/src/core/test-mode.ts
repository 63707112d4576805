// Refs that force an outcome, for test keys only. Callers must have checked that the key is of kind test: a live key's
// ref is never read here.
import { type Refusal, refuse, said } from './refusal.ts';

/** The longest time an answer can be delayed, in milliseconds. */
const longestWaitMs = 30_000;

const forcibleErrors = [429, 500, 503] as const;
export type ForcibleError = (typeof forcibleErrors)[number];

export interface Forced {
  /** Delay of the answer in milliseconds. */
  readonly waitMs: number;
  /** Status of the error to answer with; nothing is recorded then. */
  readonly error: ForcibleError | undefined;
  /** Whether to decline the transaction. */
  readonly declined: boolean;
}

const form = /^(?:slow-(\d+)-)?(?:(decline)-|error-(\d+)-)?/;

/** The outcome forced by a ref: `decline-…`, `error-503-…`, and `slow-2000-` before these or alone. */
export function forcedBy(ref: string): Forced | Refusal {
  const [, wait, decline, error] = form.exec(ref) as RegExpExecArray;
  const waitMs = wait === undefined ? 0 : Number(wait);
  if (waitMs > longestWaitMs)
    return refuse(
      'FIELD_INVALID',
      said`the field 'ref' asks for a wait of ${wait} ms; at most ${longestWaitMs} can be forced`,
    );
  const status = error === undefined ? undefined : forcibleErrors.find((s) => s === Number(error));
  if (error !== undefined && status === undefined)
    return refuse(
      'FIELD_INVALID',
      said`the field 'ref' asks for the error ${error}; ${forcibleErrors.join(', ')} can be forced`,
    );
  return { waitMs, error: status, declined: decline !== undefined };
}

/** Reason of a transaction declined because of its ref. */
export const forcedReason = "test mode: the ref begins with 'decline-'";

/** Why a test key's transaction is declined; undefined if its ref does not force it. */
export function forcedDecline(ref: string): string | undefined {
  const forced = forcedBy(ref);
  return 'declined' in forced && forced.declined ? forcedReason : undefined;
}
