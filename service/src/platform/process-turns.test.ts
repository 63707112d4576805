// Whether a process that left its mark runs: not if a later one has its id.
import { expect, it } from 'vitest';
import { ownMark, stillRuns } from './process-turns.ts';

it('is told from a later process with its id', () => {
  expect(stillRuns(process.pid, ownMark())).toBe(true);
  expect(stillRuns(process.pid, '')).toBe(true);
  expect(stillRuns(process.pid, `${ownMark()}0`)).toBe(ownMark() === '');
});

it('does not run once it has ended', () => {
  expect(stillRuns(2 ** 30, '')).toBe(false);
});
