// Entries that are read without their evidence say the same as those that are read whole, however odd their texts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnknownEntry } from '../core/entry.ts';
import { readData, readEntry } from './read.ts';

const known = ['transaction.created/1'] as const;
/** Texts that look like the places where an entry is cut. */
const text = fc.oneof(
  fc.string(),
  fc.constantFrom(',"evidence":', '},"evidence":{', '},"sealed":"x"', '"}', '\\', '","subject":"y"'),
);
const deep = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.oneof(fc.constantFrom('evidence', 'sealed', 'subject', 'rows', 'a'), text), tie('value'), {
    maxKeys: 4,
  }),
}));
const entry = fc.record({
  head: fc.record({ id: text, type: fc.constant('transaction.created'), timestamp: text }),
  data: deep.object,
  evidence: fc.option(deep.object),
  person: fc.option(fc.record({ sealed: text, subject: text })),
  also: fc.option(fc.array(fc.record({ sealed: text, subject: text }), { minLength: 1, maxLength: 2 })),
  rows: fc.option(deep.object),
});

describe('readData', () => {
  it('reads what readEntry reads, apart from evidence and hashes', () => {
    fc.assert(
      fc.property(entry, ({ head, data, evidence, person, also, rows }) => {
        const body = JSON.stringify({
          ...{ schema: known[0], ...head, version: 1, data },
          ...(evidence === null ? {} : { evidence }),
          ...(person ?? {}),
          ...(also === null ? {} : { alsoSealed: also }),
          ...(rows === null ? {} : { rows }),
        });
        const whole = readEntry(body, known);
        const read = readData(body, known);
        const of = ({ id, type, timestamp, data, sealed, subject }: typeof read) => ({
          id,
          type,
          timestamp,
          data,
          sealed,
          subject,
        });
        expect(of(read)).toEqual(of(whole));
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses an unknown schema, and what is no JSON', () => {
    const body = JSON.stringify({
      schema: 'transaction.created/9',
      type: 'transaction.created',
      data: {},
      evidence: {},
    });
    expect(() => readData(body, known)).toThrow(UnknownEntry);
    expect(() => readData('{"schema":"transaction.created/1"', known)).toThrow(SyntaxError);
  });
});
