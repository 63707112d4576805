// Forms of texts that a request may hold, each as a pattern and in words: a refusal and the description of the API say the
// words, and programs check by the pattern.
import { Type } from '../../entries/schema.ts';

/** @param says what a text of this form is, after "must be" */
export const form = (pattern: string, says: string) => ({ pattern, 'x-says': says });

/** An exact amount as text, in a field that may be absent. */
export const AmountText = (description: string) =>
  Type.Optional(
    Type.String({
      description,
      ...form(
        '^\\d{1,20}(\\.\\d{1,18})?$',
        'an amount without a sign, such as 1250.50: at most 20 digits, and after a point at most 18',
      ),
      maxLength: 40,
    }),
  );
export const currencyCode = form('^[A-Z]{3}$', 'the three capital letters of a currency, such as NGN');
export const subdivisionCode = form(
  '^[A-Z]{2}-[A-Z0-9]{1,3}$',
  'the code of a part of a country as ISO 3166-2 has it, in capitals, such as US-CA',
);
export const rowId = form(
  '^[A-Z0-9][A-Z0-9_.-]{2,79}$',
  "3 to 80 capital letters, digits, '_', '.' and '-', the first a letter or digit, such as NG-VAT-2026",
);
export const codeName = form(
  '^[A-Z][A-Z0-9_]{1,39}$',
  "2 to 40 capital letters, digits and '_', the first a letter, such as OWN_BLOCK",
);
