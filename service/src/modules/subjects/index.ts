// What other modules may use of the erasure of persons.
export { proposedErasure } from './approved-erasure.ts';
export { who } from './named-subject.ts';
