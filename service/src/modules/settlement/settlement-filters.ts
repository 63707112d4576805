// Filters that the settlement's lists share.
import { rowsQuery } from '../kernel/day-filter.ts';

export const { clientId, currency, countryCode } = rowsQuery;
