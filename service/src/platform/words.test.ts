import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { observePhone, observeTaxNumber } from './identifiers.ts';
import { frenchOf } from './words.ts';

const sentences: Record<string, string> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../data/words/fr.json'), 'utf8'),
);
const filled = (text: string) => text.replace(/\{(\d+)\}/g, (_, i: string) => `X-${Number(i) + 1}`);

describe('a sentence that was stored in English', () => {
  it('is said in French with its values, whichever it is', () => {
    // Those that are no sentences, such as `{0}; {1}`, stand between others.
    const whole = Object.entries(sentences).filter(
      ([text]) => /\{\d+\}/.test(text) && !/\}\{/.test(text) && /\p{L}{3}/u.test(text),
    );
    const wrong = whole.filter(([text, french]) => frenchOf(filled(text)) !== filled(french));
    expect(wrong.map(([text]) => text)).toEqual([]);
    expect(whole.length).toBeGreaterThan(350);
  });

  it('is said with sentences, counts and measures in it', () => {
    const field = 'le champ «\u00a0latitude\u00a0»';
    for (const [english, french] of [
      ['must lie between -90 and 90', 'doit être compris entre -90 et 90'],
      [
        'must be a number such as 1234.50, with a decimal point, no blanks, and at most 38 digits',
        'doit être un nombre comme 1234.50, avec un point décimal, sans blancs, de 38 chiffres au plus',
      ],
      ['is required', 'est obligatoire'],
      ['is longer than 40 characters', 'dépasse 40 caractères'],
    ])
      expect(frenchOf(`the field 'latitude' ${english}`)).toBe(`${field} ${french}`);
    expect(frenchOf('12,345 entries behind')).toBe('12\u202f345 entrées de retard');
    expect(frenchOf('1.5 GiB of 20.0 GiB')).toBe('1,5 Gio sur 20,0 Gio');
    expect(frenchOf('the PSP is on hold (LICENCE_EXPIRED): its licence has expired')).toMatch(
      /^le PSP est bloqué \(.*\)\u00a0: sa licence a expiré$/,
    );
  });

  it('is what checks of identifiers find today', () => {
    const found = [...observePhone('+44 1', 'GB', 'phone'), ...observeTaxNumber('12345', 'DE', 'number')];
    expect(found.length).toBe(2);
    for (const o of found) expect(frenchOf(o.message)).not.toBe(o.message);
  });

  it('leaves the names of laws that clients’ requirements rest on', () => {
    const folder = join(import.meta.dirname, '../../data/requirements');
    const laws = readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/"law": "([^"]+)"/g)])
      .map(([, law]) => law as string);
    expect(laws.length).toBeGreaterThan(50);
    for (const law of laws) expect(frenchOf(law)).toBe(law);
  });

  it('stays as it is if a person wrote it, or if it is long', () => {
    expect(frenchOf(`a${' of b'.repeat(140)}, c`)).toContain('b');
    for (const text of ['asked the merchant for the order', 'KE-VAT-STANDARD', '', `a${' of b'.repeat(400)}`])
      expect(frenchOf(text)).toBe(text);
  });
});
