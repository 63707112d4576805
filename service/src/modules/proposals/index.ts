// What others may ask about proposals.
export { expectApproved } from './approved-correction.ts';
export { countOpenProposals } from './proposal-counts.ts';
