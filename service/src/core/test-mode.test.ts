// The outcomes that refs force.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forcedBy, forcedDecline, forcedReason } from './test-mode.ts';

const nothing = { waitMs: 0, error: undefined, declined: false };

describe('the ref of a test key', () => {
  it.each([
    ['decline-1', { ...nothing, declined: true }],
    ['error-503-1', { ...nothing, error: 503 }],
    ['error-500-', { ...nothing, error: 500 }],
    ['error-429-1', { ...nothing, error: 429 }],
    ['slow-2000-1', { ...nothing, waitMs: 2000 }],
    ['slow-30000-decline-1', { ...nothing, waitMs: 30_000, declined: true }],
    ['slow-10-error-503-1', { ...nothing, waitMs: 10, error: 503 }],
  ])('forces by %s what it says', (ref, forced) => expect(forcedBy(ref)).toEqual(forced));

  it.each(['order-1', 'decline', 'Decline-1', ' decline-1', 'error-503', 'slow-1', 'x-decline-1', 'error--1'])(
    'forces nothing by %s',
    (ref) => expect(forcedBy(ref)).toEqual(nothing),
  );

  it.each([
    ['slow-30001-1', 'at most 30000 can be forced'],
    ['slow-99999999999999999999999-1', 'at most 30000 can be forced'],
    ['error-418-1', '429, 500, 503 can be forced'],
    ['slow-1-error-200-1', '429, 500, 503 can be forced'],
  ])('is refused with what can be forced where %s asks for more', (ref, sentence) =>
    expect(forcedBy(ref)).toMatchObject({ code: 'FIELD_INVALID', message: expect.stringContaining(sentence) }),
  );

  it('declines exactly where decline- stands first or after a wait', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.nat(30_000)), (rest, wait) => {
        const slow = wait === null ? '' : `slow-${wait}-`;
        expect(forcedDecline(`${slow}decline-${rest}`)).toBe(forcedReason);
        expect(forcedDecline(`${slow}x${rest}`)).toBeUndefined();
      }),
    );
  });
});
