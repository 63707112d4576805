// What other modules may use of authorities.
export { type ProposedAuthority, readProposedAuthority, viewAsked } from './asked-view.ts';
export { recordRead } from './record-read.ts';
