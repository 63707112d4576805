// What others may ask about disputes.
export { disputeAbout } from './dispute-store.ts';
