// Each operation that a tax is of has a name wherever a report or a page puts it into words.
import { expect, it } from 'vitest';
import { typeName } from '../../../console/src/pages/transactions/words.ts';
import { words } from '../../src/core/reports/legible.ts';
import { taxedOperations } from '../../src/core/tax/rule.ts';

it.each(taxedOperations)('%s has the same name in reports and in the console', (operation) => {
  const name = words(operation);
  expect(typeName(operation)).toBe(name);
  expect(name).not.toMatch(/^(Verify|Capture|Record) /);
});
