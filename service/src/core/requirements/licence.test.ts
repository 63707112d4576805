import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../calendar.ts';
import type { Hold } from '../standing.ts';
import { daysLeft, dueWarning, firstDayWithout, type Licence, licenceHolds, nextWarningOn } from './licence.ts';

const licence = (over: Partial<Licence> = {}): Licence => ({
  id: 'a',
  activity: 'GAMING',
  authority: 'MGA',
  number: '1',
  country: 'MT',
  validUntil: '2027-03-31',
  state: 'ACCEPTED',
  addedAt: '2026-01-01T00:00:00.000Z',
  addedBy: 'key_1',
  decidedAt: null,
  decidedBy: null,
  decisionReason: null,
  warned: null,
  ...over,
});

describe('warnings', () => {
  it.each([
    ['2027-02-28', undefined],
    ['2027-03-01', 30],
    ['2027-03-23', 30],
    ['2027-03-24', 7],
    ['2027-03-30', 7],
    ['2027-03-31', 0],
    ['2027-04-01', -1],
    ['2028-04-01', -1],
  ])('on %s is %s', (today, due) => {
    expect(dueWarning(licence(), today)).toBe(due);
  });

  it('come once each, over a leap day too', () => {
    const given: [string, number][] = [];
    let l = licence({ validUntil: '2028-03-01' });
    for (let day = '2028-01-01'; day < '2028-04-01'; day = addDays(day, 1)) {
      const due = dueWarning(l, day);
      if (due === undefined) continue;
      given.push([day, due]);
      l = { ...l, warned: due };
    }
    expect(given).toEqual([
      ['2028-01-31', 30],
      ['2028-02-23', 7],
      ['2028-03-01', 0],
      ['2028-03-02', -1],
    ]);
    expect(daysLeft(l, '2028-02-28')).toBe(2);
  });

  it('are looked for on the day on which the next one is due, whatever was given', () => {
    fc.assert(
      fc.property(fc.constantFrom(null, 30, 7, 0, -1), fc.integer({ min: -50, max: 60 }), (warned, days) => {
        const l = licence({ warned });
        const today = addDays('2027-03-31', -days);
        const on = nextWarningOn([l]);
        expect(dueWarning(l, today) !== undefined).toBe(on !== null && on <= today);
      }),
    );
  });

  it('are not given for what does not end, waits, was refused or is followed by a longer one', () => {
    expect(dueWarning(licence({ validUntil: null }), '2030-01-01')).toBeUndefined();
    expect(nextWarningOn([licence({ state: 'SUBMITTED' }), licence({ state: 'REFUSED' })])).toBeNull();
    expect(nextWarningOn([licence(), licence({ id: 'b', validUntil: '2028-03-31' })])).toBe('2028-03-01');
    expect(nextWarningOn([licence(), licence({ id: 'b', validUntil: null })])).toBeNull();
  });
});

describe('the first day without a licence', () => {
  it('is the day after the last one of an activity ends, the earliest of several activities', () => {
    expect(firstDayWithout([])).toBeUndefined();
    expect(firstDayWithout([licence({ state: 'SUBMITTED' })])).toBeUndefined();
    expect(firstDayWithout([licence()])).toBe('2027-04-01');
    expect(firstDayWithout([licence(), licence({ validUntil: '2029-12-31' })])).toBe('2030-01-01');
    expect(firstDayWithout([licence(), licence({ activity: 'CRYPTO', validUntil: '2026-12-31' })])).toBe('2027-01-01');
    expect(firstDayWithout([licence({ validUntil: null })])).toBeUndefined();
  });
});

describe('the hold', () => {
  const at = '2026-06-01T00:00:00.000Z';
  const from = '2027-03-31T22:00:00.000Z';
  let n = 0;
  const make = () => `hold-${++n}`;

  it('begins when the licence has ended, once', () => {
    const holds = licenceHolds([], from, at, make);
    expect(holds).toMatchObject([
      { code: 'LICENCE_EXPIRED', publicCode: 'LICENCE_EXPIRED', blocking: true, from, until: null },
    ]);
    expect(licenceHolds(holds, from, at, make)).toBe(holds);
  });

  it('is released and placed again by a new licence, and leaves nothing behind where it never began', () => {
    const first = licenceHolds([], from, at, make);
    const later = '2028-03-31T22:00:00.000Z';
    const renewedBefore = licenceHolds(first, later, at, make);
    expect(renewedBefore.map((h) => [h.from, h.until])).toEqual([[later, null]]);
    const after = '2027-05-01T00:00:00.000Z';
    const renewedAfter = licenceHolds(first, later, after, make);
    expect(renewedAfter.map((h) => [h.from, h.until])).toEqual([
      [from, after],
      [later, null],
    ]);
    expect(licenceHolds(first, undefined, after, make).map((h) => h.until)).toEqual([after]);
  });

  it('leaves holds of people as they are, even of the same code', () => {
    const own: Hold = {
      ...{ id: 'h', code: 'LICENCE_EXPIRED', reason: 'told by the authority', blocking: true },
      ...{ from: at, until: null, setBy: 'usr_1' },
    };
    expect(licenceHolds([own], undefined, at, make)).toEqual([own]);
    expect(licenceHolds([own], from, at, make)[0]).toBe(own);
  });
});
