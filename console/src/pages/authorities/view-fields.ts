// What an authority sees, as the form has it and as it is asked for.
import type { Input } from '@assay/client';
import type { Content } from '../../data/assay.ts';

export type Authority = Content<'listAuthorities'>['items'][number];
type Asked = Input<'createAuthority'>;

/** The view of an authority as it is asked for again. */
export const asAsked = ({
  countryCode,
  taxCodes,
  recordKinds,
  dayFrom,
  dayTo,
  until,
}: Omit<Authority, 'authorityId' | 'name' | 'createdAt' | 'updatedAt'>): Omit<Asked, 'name' | 'reason'> => ({
  countryCode,
  recordKinds,
  dayFrom,
  until,
  ...(taxCodes === null ? {} : { taxCodes }),
  ...(dayTo === null ? {} : { dayTo }),
});
