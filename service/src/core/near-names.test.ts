import { expect, it } from 'vitest';
import { nearNames } from './near-names.ts';

const known = ['cursor', 'limit', 'status', 'countryCode', 'dayFrom', 'dayTo', 'ref'];

it.each([
  ['statu', ['status']],
  ['limits', ['limit']],
  ['country', ['countryCode']],
  ['COUNTRYCODE', ['countryCode']],
  ['dayfrom', ['dayFrom']],
  ['day', ['dayFrom', 'dayTo']],
  ['stauts', ['status']],
  ['reference', ['ref']],
])("finds for '%s' the names that may have been meant", (given, expected) => {
  expect(nearNames(given, known)).toEqual(expected);
});

it.each(['page', 'x', '', 'constructor', '__proto__', 'x'.repeat(100_000)])('finds none for %j', (given) => {
  expect(nearNames(given, known)).toEqual([]);
});
