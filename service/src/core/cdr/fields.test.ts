import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callTypes, readCallStatus, readCallType } from './call-types.ts';
import { checkDigitHolds, readParty, readTime } from './fields.ts';

describe('fields of a call detail record', () => {
  test('times: exactly the UTC date-times that exist', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
        (d) => {
          expect(readTime(d.toISOString())?.ms).toBe(d.getTime());
        },
      ),
    );
    expect(readTime('2026-11-21T10:00:00.250000000+00:00')).toEqual({
      text: '2026-11-21T10:00:00.25Z',
      ms: Date.UTC(2026, 10, 21, 10, 0, 0, 250),
    });
    expect(readTime('2024-02-29T00:00:00Z')).toBeDefined();
    for (const t of [
      '2026-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-00-01T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T00:60:00Z',
      '2026-12-31T23:59:60Z',
      '2026-11-21',
      '2026-11-21T10:00:00',
      '2026-11-21 10:00:00Z',
      '2026-11-21T10:00:00+01:00',
      '2026-11-21t10:00:00z',
      '1969-12-31T23:59:59Z',
      '2026-11-21T10:00Z',
      '2026-11-21T10:00:00.Z',
      ' 2026-11-21T10:00:00Z',
      '+02026-11-21T10:00:00Z',
    ])
      expect(readTime(t), t).toBeUndefined();
  });

  test('E.164 numbers are the same with 00 and with +', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{6,14}$/), (digits) => {
        expect(readParty(`00${digits}`)).toEqual({ text: `+${digits}`, kind: 'E164' });
        expect(readParty(`+${digits}`)).toEqual(readParty(`00${digits}`));
      }),
    );
  });

  test('one wrong digit of a 15-digit IMEI is always noticed', () => {
    expect(checkDigitHolds('490154203237518')).toBe(true);
    fc.assert(
      fc.property(fc.nat(14), fc.integer({ min: 1, max: 9 }), (at, more) => {
        const d = [...'490154203237518'].map(Number);
        d[at] = ((d[at] as number) + more) % 10;
        expect(checkDigitHolds(d.join(''))).toBe(false);
      }),
    );
  });

  test('types and statuses are known in any case and spelling', () => {
    for (const t of callTypes) expect(readCallType(t.toLowerCase())).toBe(t);
    expect(readCallType('Text-Message')).toBe('SMS');
    expect(readCallStatus('no answer')).toBe('NO_ANSWER');
    expect(readCallType('constructor')).toBe('UNCLASSIFIED');
  });
});
