// The catalogue of the chosen language. It is loaded before any file that has texts, so this file may import none of them.
import type french from './fr.json';
import { language } from './language.ts';

export type Catalogue = typeof french;

export interface Words {
  readonly texts: Readonly<Record<string, string>>;
  /** Texts that depend on a number, by the forms of Intl.PluralRules. */
  readonly counted: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Words for codes of the API, which English makes from the codes. */
  readonly codes: Readonly<Record<string, string>>;
  /** Words that the service has for what it names, such as its kinds of reports, by their English. */
  readonly named: Readonly<Record<string, string>>;
}

let loaded: Words | undefined;

/** Loads the catalogue. Without it the console is in English, which is better than none. */
export async function loadWords(): Promise<void> {
  if (language === 'fr') loaded = await import('./french.ts').then((m) => m.french).catch(() => undefined);
}

/** Undefined in English. */
export const words = (): Words | undefined => loaded;
