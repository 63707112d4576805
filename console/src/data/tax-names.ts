// Names of taxes by their codes, for records that have only the code.
import names from '../generated/tax-names.json';
import { named } from '../words/words.ts';

/** The name of a tax in the reader's language; a code without a name is returned as it is. */
export const taxNamed = (code: string): string =>
  named(Object.hasOwn(names, code) ? names[code as keyof typeof names] : code);

/** The code of a tax typed by its name or code. */
export function taxCoded(text: string): string {
  const typed = text.trim();
  const isMeant = (code: string) => taxNamed(code).toLowerCase() === typed.toLowerCase();
  return Object.keys(names).find(isMeant) ?? typed.toUpperCase().replaceAll(' ', '_');
}
