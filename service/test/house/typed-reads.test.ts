// The result of a statement is typed where it is run: by `db.query<…>`, or by the definition of its record (`tableOf`).
// Later code does not cast columns.
import { describe, expect, it } from 'vitest';
import { readSources } from './sources.ts';

const cast = /\b(?:r|row)\??\.\w+ as (?!const\b)/;
/** No rows of the database: those to be written, and a receipt. */
const noReads = ['platform/batch-parameters.ts', 'core/audit/receipt.ts'];

describe('a column', () => {
  it('is cast nowhere where it is read', () => {
    const casting = readSources()
      .sources.filter((s) => !s.path.endsWith('.test.ts') && !noReads.includes(s.path) && cast.test(s.text))
      .map((s) => s.path);
    expect(casting).toEqual([]);
  });
});
