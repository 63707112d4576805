// What other modules may use of wagers and payouts.
export { recordLookups } from './named.ts';
export { payoutPersonalRow, wagerPersonalRow } from './wager-store.ts';
export { type Play, type PlayKind, readPlays, taxesOfPlay } from './plays.ts';
