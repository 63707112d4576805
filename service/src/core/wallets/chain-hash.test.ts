// One transfer on a chain, however its hash is written.
import { describe, expect, it } from 'vitest';
import { chainHashForms, chainHashText } from './chain-hash.ts';

const hash = '5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060';

describe('the hash of a transfer', () => {
  it.each([`0x${hash}`, `0X${hash.toUpperCase()}`, hash.toUpperCase(), ` ${hash}\n`])(
    'is one, written as %j',
    (given) => {
      expect(chainHashText(given)).toBe(hash);
      expect(chainHashForms(given)).toEqual([hash, `0x${hash}`]);
    },
  );

  it.each([
    // Solana and Hedera write theirs otherwise.
    '5j7s6NiJS3JAkvgkoc18WVAsiSaci2pxB2A6ueCJP4tprA2TFg9wSyTLeYouxPBJEMzJinENTkpA52YStRW5Dia7',
    '0.0.123456-1700000000-000000000',
    '0xabc',
  ])('%s has one form', (given) => {
    expect(chainHashForms(given)).toEqual([given.toLowerCase()]);
  });
});
