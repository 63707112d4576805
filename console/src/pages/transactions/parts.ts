// The parts of a transaction that its page asks for with `expand`.
import type { Content } from '../../data/assay.ts';

export const parts = 'tax,fees,decision';

type Detail = Content<'getTransaction'>;

/** A transaction with these parts. */
export type Evidenced = Detail & Required<Pick<Detail, 'tax' | 'fees' | 'decision'>>;
export type FeeEvidence = Evidenced['fees'];
