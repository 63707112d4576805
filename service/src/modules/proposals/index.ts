// What others may ask about proposals.
export { countOpenProposals } from './proposal-counts.ts';
