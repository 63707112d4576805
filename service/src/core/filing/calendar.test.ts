// What a taxpayer has to file: by state, at its rhythm, each period once.
import { describe, expect, it } from 'vitest';
import { type FiledPeriod, filingCalendar } from './calendar.ts';
import type { FilingForm } from './form.ts';

const form: FilingForm = {
  form: 'GB-VAT100',
  title: 'VAT Return',
  authority: 'HM Revenue & Customs',
  taxCodes: ['VAT'],
  currency: 'GBP',
  exchange: { publisher: 'HMRC', rate: 'MONTH', legalRef: null, source: 's', confidence: 'official' },
  periods: [
    { months: 3, who: 'Most.' },
    { months: 3, firstMonth: 2, who: 'Those of the second group.' },
    { months: 1, who: 'Some.' },
  ],
  due: { monthsAfter: 2, day: 7 },
  taxNumber: 'VRN',
  boxes: [],
  payable: '5',
  validFrom: '2024-01-01',
  validTo: null,
  source: 's',
  legalRef: null,
  confidence: 'official',
  says: 'Says.',
};
const filed = (period: string, firstDay: string, lastDay: string): FiledPeriod => ({ period, firstDay, lastDay });
const at = (day: string, filings: FiledPeriod[] = [], since = '2026-01-01', of = form) =>
  filingCalendar(of, { filings, since }, 'Europe/London', Date.parse(`${day}T12:00:00Z`)).map((r) => [
    r.period.name,
    r.state,
    r.period.dueOn,
  ]);

describe('the calendar of a form', () => {
  it('is overdue from the day after the due day on, due from the end of the period on, open before', () => {
    expect(at('2026-08-07')).toEqual([
      ['2026-Q3', 'OPEN', '2026-11-07'],
      ['2026-Q2', 'DUE', '2026-08-07'],
      ['2026-Q1', 'OVERDUE', '2026-05-07'],
    ]);
    expect(at('2026-08-08')[1]).toEqual(['2026-Q2', 'OVERDUE', '2026-08-07']);
    expect(at('2026-06-30')[0]).toEqual(['2026-Q2', 'OPEN', '2026-08-07']);
    expect(at('2026-07-01').slice(0, 2)).toEqual([
      ['2026-Q3', 'OPEN', '2026-11-07'],
      ['2026-Q2', 'DUE', '2026-08-07'],
    ]);
  });

  it('goes on at the rhythm that was filed last, without the days that are filed', () => {
    const second = filed('2026-02/2026-04', '2026-02-01', '2026-04-30');
    expect(at('2026-08-07', [second])).toEqual([
      ['2026-08/2026-10', 'OPEN', '2026-12-07'],
      ['2026-05/2026-07', 'DUE', '2026-09-07'],
      ['2026-02/2026-04', 'FILED', '2026-06-07'],
      ['2025-11/2026-01', 'OVERDUE', '2026-03-07'],
    ]);
    const january = filed('2026-01', '2026-01-01', '2026-01-31');
    expect(at('2026-03-15', [january], '2026-01-01').map(([name, state]) => [name, state])).toEqual([
      ['2026-03', 'OPEN'],
      ['2026-02', 'DUE'],
      ['2026-01', 'FILED'],
    ]);
    // Of a quarter of which a month was filed, the other months are left.
    const names = at('2026-08-07', [january, filed('2026-Q2', '2026-04-01', '2026-06-30')]).map(([name]) => name);
    expect(names).toEqual(['2026-Q3', '2026-Q2', '2026-03', '2026-02', '2026-01']);
  });

  it('leaves out what ended before the taxpayer was here, and days the form is not in force on', () => {
    expect(at('2026-08-07', [], '2026-07-01').map(([name]) => name)).toEqual(['2026-Q3']);
    const ended = { ...form, validFrom: '2025-10-01', validTo: '2026-04-01' };
    expect(at('2026-08-07', [], '2025-01-01', ended).map(([name]) => name)).toEqual(['2026-Q1', '2025-Q4']);
  });
});
