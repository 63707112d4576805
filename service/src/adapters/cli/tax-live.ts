// Checks the rules in force in the database as if they were country files.
import { countriesInForce } from '../../modules/rates/index.ts';
import { withApp } from './local.ts';
import type { Output } from './output.ts';
import { checkInForce, type TaxCheck } from './tax-check.ts';

/** @param date ISO date to check for */
export const checkLive = (out: Output, date: string): Promise<TaxCheck> =>
  withApp(out, async ({ services: s }) => checkInForce(date, s.rates.book.version, await countriesInForce(s.db)));
