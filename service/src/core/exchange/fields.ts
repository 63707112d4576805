// Reads the dates and decimals of published files. Each returns undefined for text of another form.

const two = (n: string) => n.padStart(2, '0');
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Two digits of a month by its name, short or long, or its number; undefined for other text. */
export function monthNumber(text: string): string | undefined {
  const number = /^\d{1,2}$/.test(text) ? Number(text) : months.indexOf(text.slice(0, 3).toLowerCase()) + 1;
  return number >= 1 && number <= 12 ? two(String(number)) : undefined;
}

/** 2024-01-02, or the day of 2024-01-02T00:00:00. */
export const isoDay = (text: string): string | undefined => /^(\d{4}-\d\d-\d\d)(?:T[\d:.]{1,16})?$/.exec(text)?.[1];

/** 20240102. */
export function plainDay(text: string): string | undefined {
  const m = /^(\d{4})(\d\d)(\d\d)$/.exec(text);
  return m ? `${m[1]}-${m[2]}-${m[3]}` : undefined;
}

/** 02.01.2024 or 02/01/2024: the day first. */
export function dayFirst(text: string): string | undefined {
  const m = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})$/.exec(text);
  return m ? `${m[4]}-${two(m[3] as string)}-${two(m[1] as string)}` : undefined;
}

/** 1/2/2024: the month first. */
export function monthFirst(text: string): string | undefined {
  const m = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  return m ? `${m[3]}-${two(m[1] as string)}-${two(m[2] as string)}` : undefined;
}

/** 02 Jan 2024, 02 January 2024 or 01/Jan/2024. */
export function namedMonth(text: string): string | undefined {
  const m = /^(\d{1,2})[ /]([A-Za-z]{3,9})[ /](\d{4})$/.exec(text);
  const month = monthNumber(m?.[2] ?? '');
  return m && month ? `${m[3]}-${month}-${two(m[1] as string)}` : undefined;
}

/** 3,9432 as 3.9432; text without a comma stays. */
export const withPoint = (text: string): string => (text.includes('.') ? text : text.replace(',', '.'));

/** A number of units; NaN for anything but a whole number. */
export const unitsOf = (text: string): number => (/^\d{1,7}$/.test(text) ? Number(text) : Number.NaN);

/** 19-May-26: of this century. */
export function shortYear(text: string): string | undefined {
  const m = /^(\d{1,2})-([A-Za-z]{3})-(\d{2})$/.exec(text);
  const month = monthNumber(m?.[2] ?? '');
  return m && month ? `20${m[3]}-${month}-${two(m[1] as string)}` : undefined;
}
