// The subject of a hold receives nothing private.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  holdSentence,
  holdsPrivateReason,
  publicCodeOf,
  publicData,
  publicEvent,
  publicHoldCodes,
  publicHolds,
  publicReason,
} from './public-standing.ts';

const secret = 'zebra: match on a list';
const event = (over: object) => JSON.stringify({ type: 'client.updated', version: 2, ...over });

describe('a hold', () => {
  it.each(['SANCTIONS_REVIEW', 'STR_FILED', 'AML_REVIEW', 'COURT_ORDER', 'constructor', ''])(
    'of the private code %s is under review to others',
    (code) => expect(publicCodeOf({ code })).toBe('UNDER_REVIEW'),
  );

  it('is shown by the public code chosen for it, or by its own where that is public', () => {
    for (const code of publicHoldCodes) {
      expect(publicCodeOf({ code })).toBe(code);
      expect(publicCodeOf({ code: 'STR_FILED', publicCode: code })).toBe(code);
      expect(holdSentence('the client', { code })).toBe(`the client is on hold (${code}): ${publicHolds[code]}`);
    }
  });

  it('of a PSP is to its clients no more than that there is one', () => {
    expect(holdSentence("the client's PSP", { code: 'LICENCE_REQUIRED' })).toBe("the client's PSP is on hold");
  });
});

describe('a recorded reason', () => {
  it.each([
    ['the client', 'the client is on hold (UNDER_REVIEW): the account is under review'],
    ['the PSP', 'the PSP is on hold (UNDER_REVIEW): the account is under review'],
    ["the client's PSP", "the client's PSP is on hold"],
  ])('of a hold on %s loses code and reason, whatever they hold, and is then left as it is', (who, shown) => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const once = publicReason(`${who} is on hold (STR_FILED): ${text}${secret}\n${secret}`);
        expect(once).toBe(shown);
        expect(publicReason(once)).toBe(once);
      }),
    );
  });

  it('of anything else is left as it is', () => {
    for (const reason of ['the client is suspended', 'declined by the PSP', 'x: the client is on hold (A1): y'])
      expect(publicReason(reason)).toBe(reason);
  });
});

describe('what is told of an account or a transaction', () => {
  const flags = [
    { id: 'hld_1', code: 'STR_FILED', reason: secret, blocking: false },
    { id: 'hld_2', code: 'SANCTIONS', reason: secret, blocking: true },
  ];
  const reason = `the client is on hold (SANCTIONS): ${secret}`;

  it('holds no remark, no private code and no private reason', () => {
    const shown = publicData('client.updated', { clientId: 'c', reason, flags });
    expect(shown).toEqual({
      clientId: 'c',
      reason: 'the client is on hold (UNDER_REVIEW): the account is under review',
      flags: [{ id: 'hld_2', code: 'UNDER_REVIEW', reason: 'the account is under review', blocking: true }],
    });
    expect(publicData('client.updated', shown)).toEqual(shown);
    expect(JSON.stringify(publicData('transaction.created', { reason }))).not.toContain('zebra');
  });

  it('keeps the bytes of what is public, and the text of numbers that no double holds', () => {
    const plain = event({ data: { totalAmount: 1, reason: null, flags: [] } });
    expect(publicEvent(plain)).toBe(plain);
    const exact = event({ type: 'transaction.created', data: { reason, totalAmount: 0 } }).replace(
      '"totalAmount":0',
      '"totalAmount":12345678901234567890.123456789',
    );
    expect(publicEvent(exact)).toContain('"totalAmount":12345678901234567890.123456789');
    expect(publicEvent(exact)).not.toContain('zebra');
    expect([holdsPrivateReason(plain), holdsPrivateReason(exact)]).toEqual([false, true]);
  });
});
