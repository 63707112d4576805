// The languages that can be chosen beside the one shown, each by its own name.
import { chooseLanguage, type Language, language, languages } from '../words/language.ts';

interface Choice {
  readonly tag: Language;
  readonly name: string;
  choose(): void;
}

export const otherLanguages: readonly Choice[] = (Object.keys(languages) as Language[])
  .filter((tag) => tag !== language)
  .map((tag) => ({ tag, name: languages[tag], choose: () => chooseLanguage(tag) }));
