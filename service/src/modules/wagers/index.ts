// What other modules may use of wagers and payouts.
export { gamingEvidence, gamingPlaceOn, payoutAmounts } from './gaming.ts';
export { recordLookups } from './named.ts';
export { personSumsReport } from './person-sums.ts';
export { type Play, type PlayKind, readPlays, taxesOfPlay } from './plays.ts';
export { findPayout, findWager, payoutPersonalRow, wagerPersonalRow } from './wager-store.ts';
