// What waits for somebody, counted by PSP: the figures of the overview, and the PSPs behind each of them.
import type { PspId } from '../../core/ids.ts';

/** As the overview names them. */
export const waitingFigures = [
  'openReviews',
  'openCases',
  'overdueCases',
  'openMatches',
  'disputesDue',
  'failingWebhooks',
  'disabledWebhooks',
  'exhaustedDeliveries',
  'cdrFilesInWork',
  'cdrLinesInSuspense',
] as const;
export type WaitingFigure = (typeof waitingFigures)[number];

/** How much of a figure waits at a PSP; there is none where nothing does. */
export interface Waits {
  readonly psp: PspId;
  readonly figure: WaitingFigure;
  readonly count: number;
}

/**
 * SQL: a figure by PSP, of the PSPs of `$1` and, unless it is null, of the account of `$2`.
 * @param from what is counted, as `w`
 */
export const waitsIn = (figure: WaitingFigure, from: string, condition: string, count = 'count(*)'): string =>
  `SELECT w.psp_id AS psp, '${figure}' AS figure, ${count} AS count FROM ${from}
   WHERE w.psp_id = ANY ($1::uuid[]) AND ($2::uuid IS NULL OR w.account_id = $2) AND ${condition} GROUP BY w.psp_id`;

/** A figure over all PSPs. */
export const sumOfWaits = (waits: readonly Waits[], figure: WaitingFigure): number =>
  waits.reduce((sum, w) => (w.figure === figure ? sum + w.count : sum), 0);
