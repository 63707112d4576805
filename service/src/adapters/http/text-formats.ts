// The text formats that schemas name, and how messages describe them.
import { isIP } from 'node:net';
import { isDate } from '../../core/calendar.ts';

/** Linear-time checks of those formats. */
export const formats: Record<string, { test(v: string): boolean; says: string }> = {
  email: {
    test(v) {
      const at = v.lastIndexOf('@');
      return at > 0 && at < v.length - 1 && v.indexOf('@') === at && !/[\s<>"(),:;\\[\]]/.test(v);
    },
    says: 'an e-mail address',
  },
  ip: { test: (v) => isIP(v) !== 0, says: 'an IPv4 or IPv6 address' },
  date: { test: (v) => isDate(v) && v >= '0001', says: 'a day of the calendar, such as 2026-11-21' },
  'date-time': {
    test: (v) =>
      /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/.test(v) &&
      Date.parse(v) >= 0 &&
      Date.parse(v) < endOfTime &&
      validDay(v),
    says: 'an ISO 8601 date and time from 1970 to 9999 with its zone, such as 2026-11-21T10:00:00Z',
  },
};

/** Years of more than four digits do not sort as text, and not every store reads them. */
const endOfTime = Date.UTC(10_000, 0, 1);

/** Date.parse reads 31 February as 3 March; this rejects it. */
function validDay(v: string): boolean {
  const day = new Date(`${v.slice(0, 10)}T00:00:00Z`);
  return v.slice(0, 4) !== '0000' && !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === v.slice(0, 10);
}
