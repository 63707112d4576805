// The language of the console: the one a person chose, or the first of the browser's that there is. Read once, when the
// page is loaded, so a choice loads the page again.

/** Each language by its own name. */
export const languages = { en: 'English', fr: 'Français' } as const;
export type Language = keyof typeof languages;

const place = 'assay-language';
const isLanguage = (text: string | null | undefined): text is Language => !!text && Object.hasOwn(languages, text);

/** @param wanted language tags such as fr-CA, the preferred one first */
export function languageOf(kept: string | null, wanted: readonly string[]): Language {
  if (isLanguage(kept)) return kept;
  return wanted.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en';
}

function kept(): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

/** What is read of the browser; tests read files of the console where there is none. */
const browser = globalThis as { readonly document?: object; readonly location?: { reload(): void } };

export const language: Language = browser.document ? languageOf(kept(), navigator.languages) : 'en';

/** How numbers and names are written. */
export const locale: string = language;

/** How dates are written: in English the day comes before the month. */
export const dateLocale: string = language === 'en' ? 'en-GB' : language;

/** Keeps the choice in this browser and shows the page again in that language. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(place, chosen);
  browser.location?.reload();
}
