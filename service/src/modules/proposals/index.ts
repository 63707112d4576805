// What others may ask about proposals.
export { type CorrectionAsked, expectApproved } from './approved-correction.ts';
export { countOpenProposals } from './proposal-counts.ts';
