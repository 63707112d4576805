// Which language the console is in, and how a language writes numbers and what depends on them.
import { describe, expect, it } from 'vitest';
import { marksOf } from '../../../console/src/data/amounts.ts';
import french from '../../../console/src/words/fr.json' with { type: 'json' };
import { languageOf } from '../../../console/src/words/language.ts';
import { filled, say } from '../../../console/src/words/words.ts';

describe('the language', () => {
  it('is the one that was chosen, whatever the browser prefers', () => {
    expect(languageOf('fr', ['en-US'])).toBe('fr');
    expect(languageOf('en', ['fr-FR', 'fr'])).toBe('en');
  });

  it('is else the first that the browser prefers and the console has, and English if there is none', () => {
    expect(languageOf(null, ['en-US', 'fr'])).toBe('en');
    expect(languageOf(null, ['wo', 'fr-SN', 'en'])).toBe('fr');
    expect(languageOf(null, ['FR-ca'])).toBe('fr');
    expect(languageOf(null, ['de-DE', 'ar'])).toBe('en');
    expect(languageOf(null, [])).toBe('en');
  });

  it('is no name that objects have anyway, nor what somebody else kept there', () => {
    expect(languageOf('constructor', ['toString'])).toBe('en');
    expect(languageOf('xx', ['fr'])).toBe('fr');
  });
});

describe('a text', () => {
  it('is its key in English, without the mark that says which meaning it has', () => {
    expect(say('Open|verb')).toBe('Open');
    expect(say('Case {number}', { number: 7 })).toBe('Case 7');
  });

  it('takes values as they are, also those that look like places or patterns', () => {
    expect(filled('{who}: {what}', { who: '{what}', what: '$&' })).toBe('{what}: $&');
    expect(filled('{a}{b}', { a: null, b: undefined })).toBe('');
  });

  it('has a form for each number that French tells apart: none and one are singular', () => {
    const rules = new Intl.PluralRules('fr');
    const forms = french.counted['{n} rows shown'];
    const shown = (n: number) => forms[rules.select(n) as 'one' | 'other'] ?? forms.other;
    expect([0, 1, 2, 1_000_000].map(shown)).toEqual([forms.one, forms.one, forms.other, forms.other]);
  });
});

describe('an amount', () => {
  it('has the marks of its language: a narrow space that does not break and a comma in French', () => {
    expect(marksOf('en')).toEqual({ group: ',', decimal: '.' });
    expect(marksOf('fr')).toEqual({ group: '\u202f', decimal: ',' });
  });
});
