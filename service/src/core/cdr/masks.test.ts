// A mask keeps a number's length and says whose network it is of, never whose number.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskNumber } from './masks.ts';

it.each([
  ['+2348031234567', '+23480312*****'],
  ['002348031234567', '00234803*******'],
  ['08031234567', '080312*****'],
  ['+234 (0) 803-123 4567', '+234 (0) 803-1** ****'],
  ['+2991234', '+299****'],
  ['+29912345', '+299*****'],
  ['1234567', '123****'],
  ['٠٨٠٣١٢٣٤٥٦٧', '٠٨٠٣١٢*****'],
  ['112', '112'],
  ['*556#', '*556#'],
  ['My Bank', 'My Bank'],
  ['', ''],
])('%s is shown as %s', (text, mask) => expect(maskNumber(text)).toBe(mask));

it('of any number is as long, and has neither its last five digits, of seven four, nor more than eight', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+?\d{7,20}$/), (number) => {
      const mask = maskNumber(number);
      expect(mask).toHaveLength(number.length);
      expect(mask).toMatch(/^\+?(?:\d{3}\*{4}|\d{3,8}\*{5,})$/);
      expect(number.startsWith(mask.replace(/\*+$/, ''))).toBe(true);
    }),
  );
});
