// Territories whose law takes over the rates of another country answer as that country does, for whatever is sold, on each day
// on which one of the two changes a rate.
import { describe, expect, it } from 'vitest';
import { loadRuleBook } from '../../platform/data-files.ts';
import { supplies } from './supplies.ts';

const book = loadRuleBook();
const daysOf = (country: string): string[] =>
  (book.country(country)?.rules ?? [])
    .filter((r) => r.operations.includes('verifyTransaction') && r.subdivision === undefined)
    .flatMap((r) => [r.validFrom, r.validTo ?? r.validFrom]);
const codes = ['5641', '5813', '7995', '8211', '4121', '7996', '5441', '5999'];

/** What bears which rate; two rates that differ by their country alone are made one. */
function answers(country: string, date: string): Record<string, string> {
  const plan = (over: object) => {
    const asked = {
      jurisdiction: country,
      operation: 'verifyTransaction',
      classification: 'ECOMM_LOCAL',
      date,
    } as const;
    const found = book.plan({ ...asked, ...over })?.inclusive[0]?.rule;
    return `${found?.rate} ${found?.reason ?? ''}`.trim();
  };
  return Object.fromEntries([
    ...supplies.map((supply) => [supply, plan({ supply })]),
    ...codes.map((mcc) => [mcc, plan({ mcc })]),
    ['abroad', plan({ customer: 'BUSINESS_ABROAD' })],
  ]);
}

/** Article 296 of the French tax code: 8.5 % in place of 20, 2.1 of what is reduced; article 298 septies: 1.05 of the press. */
const overseas = (of: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(of).map(([sold, rate]) => [
      sold,
      sold === 'newspapers' ? '1.05' : rate === '20' ? '8.5' : /^0 /.test(rate) ? rate : '2.1',
    ]),
  );

describe('the rates of', () => {
  it.each([
    ['Monaco', 'MC', 'FR', (a: Record<string, string>) => a],
    ['Northern Ireland', 'XI', 'GB', (a: Record<string, string>) => a],
    ['the Isle of Man, lodging apart,', 'IM', 'GB', (a: Record<string, string>) => ({ ...a, lodging: '5' })],
    ['Liechtenstein', 'LI', 'CH', (a: Record<string, string>) => a],
    ['Guadeloupe', 'GP', 'FR', overseas],
    ['Martinique', 'MQ', 'FR', overseas],
    ['Réunion', 'RE', 'FR', overseas],
  ] as const)('%s are those of the country whose law they take over', (_, territory, country, as) => {
    const days = [...new Set([...daysOf(territory), ...daysOf(country), '2024-01-01'])].filter(
      (d) => d >= '2024-01-01',
    );
    for (const day of days.sort()) expect([day, answers(territory, day)]).toEqual([day, as(answers(country, day))]);
  });
});
