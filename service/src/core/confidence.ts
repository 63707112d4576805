// How far a fact about a country was held against its source. Rates of tax have a finer scale (core/tax/rule.ts).

/** official: the law or a page of its authority was read; secondary: another text; assumed: general knowledge. */
export const readConfidences = ['official', 'secondary', 'assumed'] as const;
export type ReadConfidence = (typeof readConfidences)[number];
