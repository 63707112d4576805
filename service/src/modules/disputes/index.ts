// What other modules may use of disputes.
export { disputeAbout } from './dispute-store.ts';
