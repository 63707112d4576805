// One transfer on a chain, however its hash is written.
import { describe, expect, it } from 'vitest';
import { chainHashForms, chainHashText, chainHashWritten } from './chain-hash.ts';

const hash = '5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060';

describe('the hash of a transfer', () => {
  it.each([
    `0x${hash}`,
    `0X${hash.toUpperCase()}`,
    hash.toUpperCase(),
    ` ${hash}\n`,
    `${hash.slice(0, 9)}\u200b${hash.slice(9)}`,
  ])('is one, written as %j', (given) => {
    expect(chainHashText(given)).toBe(hash);
    expect(chainHashForms(given)).toEqual([hash, `0x${hash}`]);
  });

  it.each([
    // Solana and Hedera write theirs otherwise.
    '5j7s6NiJS3JAkvgkoc18WVAsiSaci2pxB2A6ueCJP4tprA2TFg9wSyTLeYouxPBJEMzJinENTkpA52YStRW5Dia7',
    '0.0.123456-1700000000-000000000',
    '0xabc',
  ])('%s has one form', (given) => {
    expect(chainHashForms(given)).toEqual([given.toLowerCase()]);
  });

  // The hash of a transfer of TON, as toncenter's and other services give it and as explorers show it.
  it.each([
    'XFBO1DLLURO+zwm6XopBDdSh4gTvhP7RvkvhbfobIgY=',
    'XFBO1DLLURO-zwm6XopBDdSh4gTvhP7RvkvhbfobIgY',
    ' XFBO1DLLURO+zwm6XopBDdSh4gTvhP7RvkvhbfobIgY=\n',
  ])('is one in base64, written as %j', (given) => {
    const ton = '5c504ed432cb5113becf09ba5e8a410dd4a1e204ef84fed1be4be16dfa1b2206';
    expect(chainHashText(given)).toBe(ton);
    expect(chainHashWritten(ton)).toContain(given.trim().toLowerCase());
  });

  it('is one of Hedera with @ and with hyphens', () => {
    for (const given of ['0.0.123456@1700000000.000000001', '0.0.123456@1700000000.1'])
      expect(chainHashText(given)).toBe('0.0.123456-1700000000-000000001');
    expect(chainHashWritten('0.0.123456-1700000000-000000001')).toContain('0.0.123456@1700000000.000000001');
  });

  it('is none in base64 that only looks so', () => {
    // Two bits are left over that no encoder sets.
    const given = 'XFBO1DLLURO-zwm6XopBDdSh4gTvhP7RvkvhbfobIgZ';
    expect(chainHashText(given)).toBe(given.toLowerCase());
  });
});
