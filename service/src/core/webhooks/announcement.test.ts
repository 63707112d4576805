// What a webhook's body includes of a journal entry.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnknownEntry } from '../entry.ts';
import { decimal, formatDecimal, wireNumber } from '../money.ts';
import { announcement } from './announcement.ts';

const entry = (over: Record<string, unknown> = {}) => ({
  id: 'evt_1',
  type: 'transaction.created',
  event: 'New Transaction',
  timestamp: '2026-11-21T10:00:00.000Z',
  actor: { account: 'psp_1', by: 'key_1' },
  clientId: 'cli_1',
  version: 1,
  data: { totalAmount: 107.5 },
  evidence: { reason: 'told to nobody' },
  sealed: 'sealed text',
  subject: 'subject hash',
  ...over,
});
const known = ['transaction.created/1'];
const told = (over: Record<string, unknown> = {}) => announcement(JSON.stringify(entry(over)), known);

describe('the body', () => {
  it('holds seven members in a fixed order and neither actor, evidence nor what is sealed', () => {
    expect(told().body).toBe(
      '{"id":"evt_1","type":"transaction.created","event":"New Transaction","timestamp":"2026-11-21T10:00:00.000Z","clientId":"cli_1","version":1,"data":{"totalAmount":107.5}}',
    );
    expect(told().timestamp).toBe('2026-11-21T10:00:00.000Z');
  });

  it('names the schema of its data, where the entry does', () => {
    const schema = 'transaction.created/1';
    expect(told({ schema }).body).toContain(`"version":1,"schema":"${schema}","data":`);
  });

  it('keeps the text of numbers that no double holds', () => {
    const text = JSON.stringify(entry()).replace('107.5', '12345678901234567890.123456789');
    expect(announcement(text, known).body).toContain('"totalAmount":12345678901234567890.123456789}');
  });

  it('keeps resources as they are, whatever they hold', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (data) => {
        const { body } = told({ data });
        expect(body.endsWith(`"data":${JSON.stringify(data)}}`)).toBe(true);
      }),
    );
  });

  it('is the same after JSON.parse and JSON.stringify for amounts of up to 15 digits', () => {
    const amount = fc
      .tuple(fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n }), fc.nat(12))
      .map(([units, scale]) => wireNumber(formatDecimal(decimal(`${units}e-${scale}`))));
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), amount), (data) => {
        const { body } = told({ data });
        expect(JSON.stringify(JSON.parse(body))).toBe(body);
      }),
    );
  });
});

describe('an entry that cannot be told', () => {
  it.each(['id', 'type', 'event', 'timestamp', 'clientId', 'version', 'data'])('is one without %s', (member) => {
    expect(() => told({ [member]: undefined })).toThrow(`the entry has no member '${member}'`);
  });

  it('is one of a schema that is not known: nobody here knows what in it is private', () => {
    expect(() => told({ schema: 'transaction.created/2' })).toThrow(UnknownEntry);
  });

  it('is one that is no JSON', () => {
    expect(() => announcement('{', known)).toThrow();
  });
});
