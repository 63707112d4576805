// What a client library may decide by while the service is out of reach: for each account whether its payments would be
// approved, for a limited time. Written as one line of JSON inside a signed note. Pure.
import { type LevelPolicy, type Standing, unacceptable } from '../standing.ts';

/** First line of the signed text: no checkpoint begins with it. */
const snapshotHead = 'assay stand-in snapshot 1';

/** How long a snapshot may be decided by, in hours. */
export const snapshotHours = 24;

export interface SnapshotAccount {
  /** `cli_…` or `psp_…`. */
  readonly id: string;
  readonly status: 'APPROVED' | 'DECLINED';
  /** Why it is declined, in words its subject may read. */
  readonly reason: string | null;
}

export interface Snapshot {
  /** ISO UTC. */
  readonly madeAt: string;
  readonly validUntil: string;
  /** Version of the tax rules in force when it was made. */
  readonly taxDataset: string;
  readonly accounts: readonly SnapshotAccount[];
}

/**
 * Whether an account's payments would be approved at any moment of the time: a hold that begins within it declines from
 * the beginning, since the library cannot be given a start.
 */
export function standinStatus(
  account: Standing,
  psp: Standing,
  policy: LevelPolicy,
  span: { readonly madeAt: string; readonly validUntil: string },
): Pick<SnapshotAccount, 'status' | 'reason'> {
  const begins = [...account.holds, ...psp.holds]
    .map((h) => h.from)
    .filter((at) => span.madeAt < at && at < span.validUntil);
  for (const at of [span.madeAt, ...begins]) {
    const reason = unacceptable(account, psp, policy, at);
    if (reason !== undefined) return { status: 'DECLINED', reason };
  }
  return { status: 'APPROVED', reason: null };
}

/** The text that is signed. */
export const snapshotText = (s: Snapshot): string => `${snapshotHead}\n${JSON.stringify(s)}\n`;
