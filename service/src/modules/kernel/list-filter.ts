// Filters that the lists of many kinds of records share.
import type { PspId } from '../../core/ids.ts';

/** One page of the records of a PSP, newest first: those of one account, and with these values, if they are given. */
export type ListFilter<Texts extends string = never, Psp = PspId> = {
  readonly psp: Psp;
  readonly account?: string | undefined;
  /** Id of the last one on the page before. */
  readonly before?: string | undefined;
  readonly limit: number;
} & { readonly [Text in Texts]?: string | undefined };

/** The same of any PSP, for staff. */
export type StaffListFilter<Texts extends string = never> = ListFilter<Texts, PspId | undefined>;
