// The vectors that the RFCs print.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bytesOfStep, digitsOf, stepOf } from './one-time-code.ts';

const key = (length: number) => Buffer.from('1234567890'.repeat(7).slice(0, length));

describe('one-time codes', () => {
  // RFC 4226, appendix D.
  it.each(
    ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'].map(
      (code, counter) => [counter, code] as const,
    ),
  )('of the counter %i are those of RFC 4226', (counter, code) => {
    expect(digitsOf(createHmac('sha1', key(20)).update(bytesOfStep(counter)).digest())).toBe(code);
  });

  // RFC 6238, appendix B, with its three hashes and their keys of 20, 32 and 64 bytes.
  it.each([
    [59, '94287082', '46119246', '90693936'],
    [1_111_111_109, '07081804', '68084774', '25091201'],
    [1_111_111_111, '14050471', '67062674', '99943326'],
    [1_234_567_890, '89005924', '91819424', '93441116'],
    [2_000_000_000, '69279037', '90698825', '38618901'],
    [20_000_000_000, '65353130', '77737706', '47863826'],
  ])('at second %i are those of RFC 6238', (second, sha1, sha256, sha512) => {
    const bytes = bytesOfStep(stepOf(second * 1000));
    const of = (algorithm: string, length: number) =>
      digitsOf(createHmac(algorithm, key(length)).update(bytes).digest(), 8);
    expect([of('sha1', 20), of('sha256', 32), of('sha512', 64)]).toEqual([sha1, sha256, sha512]);
  });
});
