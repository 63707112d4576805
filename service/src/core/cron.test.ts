// What the settings take for five fields of cron is what the scheduler takes, and no more.
import fc from 'fast-check';
import { parseCrontab } from 'graphile-worker';
import { describe, expect, it } from 'vitest';
import { wrongCron } from './cron.ts';

const runs = (text: string): boolean => {
  try {
    return parseCrontab(`${text} job`).length === 1;
  } catch {
    return false;
  }
};

describe('five fields of cron', () => {
  it.each(['* * * * *', '*/15 * * * *', '23 1 * * *', '0,30 8-17 1 */3 1-5', '59 23 31 12 6'])(
    "may be '%s'",
    (text) => {
      expect(wrongCron(text)).toBeUndefined();
      expect(runs(text)).toBe(true);
    },
  );

  it.each([
    ['99 * * * *', "has '99' for the minute, which must be *, */2, or numbers from 0 to 59 such as 1 or 1-3,59"],
    ['0 24 * * *', "has '24' for the hour"],
    ['0 0 0 * *', "has '0' for the day of the month"],
    ['0 0 * 13 *', "has '13' for the month"],
    ['0 0 * * 7', "has '7' for the day of the week"],
    ['0 0 * * MON', "has 'MON' for the day of the week"],
    ['*/0 * * * *', "has '*/0' for the minute"],
    ['5-1 * * * *', "has '5-1' for the minute"],
    [', * * * *', "has ',' for the minute"],
    ['1/2/3 * * * *', "has '1/2/3' for the minute"],
    ['* * * *', 'must be five fields of cron'],
    ['OFF', 'must be five fields of cron'],
  ])("may not be '%s'", (text, why) => {
    expect(wrongCron(text)).toContain(why);
  });

  it('are those that the scheduler takes', () => {
    const number = fc.integer({ min: 0, max: 70 });
    const item = fc.oneof(
      number.map(String),
      fc.tuple(number, number).map(([a, b]) => `${a}-${b}`),
      number.map((n) => `*/${n}`),
      fc.constantFrom('*', '', '1-', 'x', '1/2'),
    );
    const field = fc.array(item, { minLength: 1, maxLength: 2 }).map((items) => items.join());
    fc.assert(
      fc.property(fc.array(field, { minLength: 5, maxLength: 5 }), (given) => {
        const text = given.join(' ');
        if (wrongCron(text) === undefined) expect(runs(text), text).toBe(true);
      }),
    );
  });
});
