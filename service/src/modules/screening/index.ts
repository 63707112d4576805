// What other modules may use of lists and screening.
export { compareLists } from './compare-with-journal.ts';
export { condensed } from './condense.ts';
export { Lists } from './lists.ts';
export { Rescreening } from './rescreening.ts';
export { makeScreeningReader, screeningReader } from './screening-reader.ts';
