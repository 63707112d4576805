// What other modules may use of proposals.
export { expectApproved } from './approved-correction.ts';
export { takeApproved } from './proposed-acts.ts';
