// Holds of wallets: when one is in force, and how it is ended. Pure.
import type { PspId, TransactionId } from '../ids.ts';
import { stored } from '../said.ts';
import { decidingTime } from '../standing.ts';

/** In force from its commit on, so that no clock decides what it is too late for. */
export interface WalletHold {
  readonly psp: PspId;
  readonly id: string;
  /** Keyed hash of the address. */
  readonly wallet: string;
  /** Sealed as it was given; null where a transaction names it. */
  readonly addressSealed: string | null;
  readonly transaction: TransactionId | null;
  readonly caseId: string | null;
  readonly reason: string;
  readonly setBy: string;
  /** ISO UTC; null until somebody ends it. */
  readonly untilAt: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** @param now when what is decided was asked for, ISO UTC: what came before a change and is decided after it is decided as of the change */
export const isHeldBy = (h: WalletHold, now: string): boolean => h.untilAt === null || decidingTime(h, now) < h.untilAt;

export const endedAt = (h: WalletHold, now: string): WalletHold => {
  const at = decidingTime(h, now);
  return { ...h, untilAt: at, version: h.version + 1, updatedAt: at };
};

const heldCode = 'RISK_POLICY';
/** What everybody reads of a payment that a hold declines: the words of any rule that declines. */
export const heldReason = stored`the risk policy of the PSP does not allow it (${heldCode})`;
