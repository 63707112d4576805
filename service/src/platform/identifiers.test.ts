import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import assets from '../../data/assets.json' with { type: 'json' };
import { addressFit, hashFits, networks } from './crypto-addresses.ts';
import {
  observeAddress,
  observeBankDetails,
  observeCoordinates,
  observeHash,
  observeIp,
  observePhone,
  observeTaxNumber,
} from './identifiers.ts';

const codes = (list: readonly { code: string }[]) => list.map((o) => o.code);
/** The text with another character of the same alphabet in one place. */
const changed = (text: string, at: number, alphabet: string) => {
  const i = alphabet.indexOf(text[at] as string);
  return text.slice(0, at) + alphabet[(i + 1) % alphabet.length] + text.slice(at + 1);
};

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE58_XRP = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';
/** Independent of the code under test. */
const base58Of = (bytes: Uint8Array, alphabet: string) => {
  let n = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; n > 0n; n /= 58n) text = (alphabet[Number(n % 58n)] as string) + text;
  return (alphabet[0] as string).repeat(bytes.findIndex((b) => b !== 0)) + text;
};
const sha = (b: Uint8Array) => createHash('sha256').update(b).digest();

describe('observeTaxNumber', () => {
  it.each([
    ['DE', 'DE136695976'],
    ['DE', '136695976'],
    ['GB', 'GB980780684'],
    ['GB', '980 7806 84'],
    ['IN', '27AAPFU0939F1ZV'],
    ['IN', 'ACUPA7085R'],
    ['KE', 'P051365947M'],
    ['GH', 'C0000803561'],
    ['ZA', '0001339050'],
    ['US', '04-2103594'],
    ['FR', '40303265045'],
    ['IT', '00743110157'],
    ['PL', '8567346215'],
    ['BR', '16.727.230/0001-97'],
    ['AU', '83 914 571 673'],
  ])('finds nothing to notice in %s %s', (country, tin) => {
    expect(observeTaxNumber(tin, country, 'organizationTin')).toEqual([]);
  });

  it.each([
    ['DE', 'DE136695977'],
    ['GB', '980780685'],
    ['IN', '27AAPFU0939F1ZO'],
    ['GH', 'C0000803562'],
    ['FR', '40303265046'],
    ['IT', '00743110158'],
    ['PL', '8567346216'],
    ['BR', '16.727.230/0001-98'],
    ['AU', '83 914 571 674'],
  ])('notices the check digit of %s %s, without quoting it', (country, tin) => {
    expect(observeTaxNumber(tin, country, 'organizationTin')).toEqual([
      {
        code: 'TIN_CHECKSUM',
        field: 'organizationTin',
        message: `the check digit is wrong for a tax number of ${country}`,
      },
    ]);
  });

  it.each([
    ['KE', '12345678-0001'],
    ['DE', 'none'],
    ['US', '1'],
  ])('notices that %s %s is no tax number at all', (country, tin) => {
    expect(codes(observeTaxNumber(tin, country, 'organizationTin'))).toEqual(['TIN_FORM']);
  });

  it('says nothing of countries without a known number of organizations', () => {
    for (const country of ['NG', 'UG', 'BA', 'HK', 'XX', '', 'constructor', '__proto__'])
      expect(observeTaxNumber('12345678-0001', country, 'organizationTin')).toEqual([]);
  });

  it("takes a sole trader's own number", () => {
    expect(observeTaxNumber('36574261809', 'DE', 'organizationTin')).toEqual([]);
  });
});

describe('observePhone', () => {
  it.each([
    ['+2348030000001', 'NG'],
    ['0803 000 0001', 'NG'],
    ['+254700000001', 'KE'],
    ['+44 20 7946 0018', 'NG'],
    ['(030) 901820', 'DE'],
    ['+91 98765 43210', 'IN'],
    [undefined, 'NG'],
  ])('finds nothing to notice in %s in %s', (phone, country) => {
    expect(observePhone(phone, country, 'phoneNumber')).toEqual([]);
  });

  it.each(['+234803', '12', 'call me', '+2340000000000', '+999123456789', 'tel 08030000001 or so'])(
    'notices %s in NG, without quoting it',
    (phone) => {
      expect(observePhone(phone, 'NG', 'customer.phoneNumber')).toEqual([
        {
          code: 'PHONE_INVALID',
          field: 'customer.phoneNumber',
          message: 'not a valid telephone number (read as in NG)',
        },
      ]);
    },
  );

  it('judges only international numbers where the country has no numbering plan we know', () => {
    expect(observePhone('12', 'AQ', 'phoneNumber')).toEqual([]);
    expect(observePhone('+2348030000001', '', 'phoneNumber')).toEqual([]);
    expect(codes(observePhone('+234803', '', 'phoneNumber'))).toEqual(['PHONE_INVALID']);
  });
});

describe('observeIp', () => {
  it.each(['102.0.2.44', '8.8.8.8', '2a00:1450:4001:81b::200e', '::ffff:8.8.8.8'])('takes %s as public', (ip) => {
    expect(observeIp(ip, 'ip')).toEqual([]);
  });

  it.each([
    ['10.1.2.3', 'private use'],
    ['172.16.0.1', 'private use'],
    ['192.168.1.1', 'private use'],
    ['fd12:3456::1', 'private use'],
    ['::ffff:192.168.1.1', 'private use'],
    ['127.0.0.1', 'the machine itself'],
    ['::1', 'the machine itself'],
    ['169.254.1.1', 'a local link'],
    ['fe80::1', 'a local link'],
    ['100.64.0.1', "a carrier's own network"],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['0.0.0.0', 'no machine'],
    ['203.0.113.9', 'special use'],
    ['2001:db8::1', 'special use'],
  ])('notices that %s is for %s', (ip, use) => {
    expect(observeIp(ip, 'ip')).toEqual([
      { code: 'IP_NOT_PUBLIC', field: 'ip', message: `the address is not public: it is set aside for ${use}` },
    ]);
  });

  it('says nothing of what is no address', () => {
    expect(observeIp('nowhere', 'ip')).toEqual([]);
  });
});

describe('observeCoordinates', () => {
  it.each([
    [-1.2864, 36.8172, 'KE'],
    [51.5, -0.12, 'GB'],
    [54.6, -5.93, 'GB'],
    [18.4, -66.1, 'PR'],
    [18.4, -66.1, 'US'],
    [22.3, 114.17, 'HK'],
    [42.66, 21.16, 'XK'],
    [44.95, 34.1, 'UA'],
    [44.95, 34.1, 'RU'],
    [27.1, -13.2, 'EH'],
  ])('finds %d, %d in %s', (lat, lng, country) => {
    expect(observeCoordinates(lat, lng, country, 'coordinates')).toEqual([]);
  });

  it.each([
    [-1.2864, 36.8172, 'NG', 'KE'],
    [51.5, -0.12, 'KE', 'GB'],
    [35.89, -5.3, 'MA', 'ES'],
    [22.3, 114.17, 'NG', 'HK'],
  ])('notices that %d, %d is not in %s but in %s, without quoting the point', (lat, lng, country, found) => {
    expect(observeCoordinates(lat, lng, country, 'coordinates')).toEqual([
      {
        code: 'COUNTRY_MISMATCH',
        field: 'coordinates',
        message: `the coordinates lie in ${found}, the account is registered in ${country}`,
      },
    ]);
  });

  it('notices zeros, whichever the country', () => {
    for (const zero of [0, -0])
      for (const country of ['KE', null])
        expect(codes(observeCoordinates(zero, 0, country, 'coordinates'))).toEqual(['COORDINATES_ZERO']);
  });

  it('says nothing of the open sea or of an account without a country', () => {
    expect(observeCoordinates(-40, -120, 'KE', 'coordinates')).toEqual([]);
    expect(observeCoordinates(51.5, -0.12, null, 'coordinates')).toEqual([]);
  });
});

describe('observeBankDetails', () => {
  it.each([
    [{ iban: 'GB82 WEST 1234 5698 7654 32' }],
    [{ account: 'DE89370400440532013000' }],
    [{ iban: 'nl91abna0417164300' }],
    [{ bank: 'Equity Bank', accountNumber: '0011223344' }],
    [{ reference: 'DE12345', note: 'AB12CDEFGHIJKLMNOP' }],
    [{}],
  ])('finds nothing to notice in %j', (details) => {
    expect(observeBankDetails(details, 'toAddress')).toEqual([]);
  });

  it.each([
    [{ iban: 'GB82 WEST 1234 5698 7654 33' }],
    [{ account: 'DE89370400440532013001' }],
    [{ bank: { accounts: [{ number: 'FR1420041010050500013M02607' }] } }],
  ])('notices the check digits in %j, naming nothing of it', (details) => {
    expect(observeBankDetails(details, 'toAddress')).toEqual([
      { code: 'IBAN_CHECKSUM', field: 'toAddress', message: 'the check digits of an IBAN in it are wrong' },
    ]);
  });

  it('notices what is named an IBAN and is none', () => {
    for (const iban of ['GB82WEST1234569876543', '0011223344', 'ZZ82123456781234', 'X'.repeat(300)])
      expect(codes(observeBankDetails({ iban }, 'toAddress'))).toEqual(['IBAN_FORM']);
  });

  it('looks at no more than its bounds', () => {
    const wrong = 'DE89370400440532013001';
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`m${i}`, 'x']));
    expect(observeBankDetails({ ...many, last: wrong }, 'toAddress')).toEqual([]);
    expect(observeBankDetails({ a: { b: { c: { d: { e: wrong } } } } }, 'toAddress')).toEqual([]);
  });
});

// From the networks' own specifications and documentation (BIP 173, BIP 350, EIP-55, CIP-19, SEP-23, XLS-5, …).
const valid: Record<string, string[]> = {
  ALGORAND: [
    'VCMJKWOY5P5P7SKMZFFOCEROPJCZOTIJMNIYNUCKH7LRO45JMJP6UYBIJA',
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKQ',
  ],
  APTOS: ['0x1', `0x${'a1'.repeat(32)}`],
  BITCOIN: [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
    'BC1SW50QGDZ25J',
    'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ],
  BITCOIN_CASH: [
    'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu',
  ],
  BITCOIN_SV: ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  CARDANO: [
    'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
    'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi',
  ],
  COSMOS: ['cosmos1hsk6jryyqjfhp5dhc55tc9jtckygx0eph6dd02'],
  DASH: ['XsV4GHVKGTjQFvwB7c6mYsGV3Mxf7iser6'],
  DOGECOIN: ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', 'D7Y55r6Yoc1G8EECxkQ6SuSjTgGJJ7M6yD'],
  ECASH: ['ecash:qpm2qsznhks23z7629mms6s4cwef74vcwva87rkuu2'],
  EOS: ['eosio.token', 'binancecleos'],
  ETHEREUM: [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
  ],
  FILECOIN: ['f1wbxhu3ypkuo6eyp6hjx6davuelxaxrvwb2kuwva', 'f01234'],
  HEDERA: ['0.0.123', '0.0.123-vfmkw'],
  INTERNET_COMPUTER: [
    'rrkah-fqaaa-aaaaa-aaaaq-cai',
    '2vxsx-fae',
    '2d0e897f7e862d2b57d9bc9ea5c65f9a24ac6c074575f47898314b8d6cb0929d',
  ],
  KASPA: ['kaspa:qqkqkzjvr7zwxxmjxjkmxxdwju9kjs6e9u82uh59z07vgaks6gg62v8707g73'],
  KUSAMA: ['HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F'],
  LITECOIN: [
    'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1',
    'MTf4tP1TCNBn8dNkyxeBVoPrFCcVzxJvvh',
    'ltc1qhzjptwpym9afcdjhs7jcz6fd0jma0l0rc0e5yr',
  ],
  MONERO: [
    '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
    '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H',
  ],
  MULTIVERSX: ['erd1qyu5wthldzr8wx5c9ucg8kjagg0jfs53s8nr3zpz3hypefsdd8ssycr6th'],
  NEAR: ['alice.near', '98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de'],
  NEO: ['NNLi44dJNXtDNSBkofB48aTVYtb1zZrNEs', 'AGofsxAUDwt52KjaB664GYsqVAkULYvKNt'],
  POLKADOT: ['15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5', '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'],
  RAVENCOIN: ['RXissueAssetXXXXXXXXXXXXXXXXXhhZGt'],
  SOLANA: ['11111111111111111111111111111111', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
  STACKS: ['SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7', 'SP000000000000000000002Q6VF78'],
  STELLAR: [
    'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
    'CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE',
  ],
  SUI: [`0x${'a1'.repeat(32)}`],
  TEZOS: ['tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb', 'KT1PWx2mnDueood7fEmfbBDKx1D9BAnnXitn'],
  THORCHAIN: ['thor1dheycdevq39qlkxs2a6wuuzyn4aqxhve4qxtxt'],
  TON: [
    'EQAvDfWFG0oYX19jwNDNBBL1rKNT9XfaGP9HyTb5nb2Eml6y',
    '0:2f0df5851b4a185f5f63c0d0cd0412f5aca353f577da18ff47c936f99dbd849a',
  ],
  TRON: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
  XRPL: [
    'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
    'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ',
  ],
  ZCASH: ['t3Vz22vK5z2LcKEdg16Yv4FFneEL1zg9ojd', 't1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs'],
};
/** Addresses without a checksum, or with a middle that is not included in the data's length. */
const unchecked =
  /^(?:0x|0\.0\.|0:|41[0-9a-f]{40}|f0|Ae2|TokenkegQ|1{32}|eosio|binance|alice|98793|52908|de709f)|^2vxsx|^rrrrr/;

describe('addresses', () => {
  it('knows every network of the assets', () => {
    expect(Object.keys(networks).sort()).toEqual([...new Set(assets.map((a) => a.network))].sort());
  });

  const all = Object.entries(valid).flatMap(([network, list]) => list.map((a) => [network, a] as const));
  it.each(all)('knows on %s the address %s', (network, address) => {
    expect(addressFit(address, [network])).toBe('fits');
  });

  it.each(all.filter(([, a]) => !unchecked.test(a)))('notices on %s one wrong character in %s', (network, address) => {
    const at = Math.floor(address.length / 2);
    const alphabets = [
      BASE58,
      'qpzry9x8gf2tvdw0s3jn54khce6mua7l',
      'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
      'abcdefghijklmnopqrstuvwxyz234567',
      '0123456789ABCDEFGHJKMNPQRSTVWXYZ',
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
      '0123456789abcdef',
    ];
    const seen = alphabets
      .filter((a) => a.includes(address[at] as string))
      .map((a) => addressFit(changed(address, at, a), [network]));
    expect(seen).not.toContain('fits');
    expect(seen).toContain('checksum');
  });

  it.each([
    // BIP 350: version 1 with bech32's checksum, version 0 with bech32m's.
    ['BITCOIN', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'checksum'],
    ['BITCOIN', 'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL', 'checksum'],
    ['BITCOIN', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'checksum'],
    // BIP 173 and 350: character outside the charset, mixed case, wrong length, the test network's.
    ['BITCOIN', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', 'form'],
    ['BITCOIN', 'bc1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'form'],
    ['BITCOIN', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', 'form'],
    ['BITCOIN', 'bc1pw5dgrnzv', 'form'],
    ['BITCOIN', 'bc1gmk9yu', 'form'],
    ['BITCOIN', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'form'],
    ['BITCOIN', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'form'],
    ['BITCOIN', 'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1', 'form'],
    ['BITCOIN', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'form'],
    ['ETHEREUM', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'checksum'],
    ['ETHEREUM', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'form'],
    ['ETHEREUM', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'form'],
    ['TRON', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', 'checksum'],
    ['TRON', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'form'],
    ['SOLANA', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5D', 'form'],
    ['SOLANA', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'form'],
    ['XRPL', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'form'],
    ['TON', 'kQAvDfWFG0oYX19jwNDNBBL1rKNT9XfaGP9HyTb5nb2EmuU4', 'form'],
    ['POLKADOT', 'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F', 'form'],
    ['KASPA', 'qqkqkzjvr7zwxxmjxjkmxxdwju9kjs6e9u82uh59z07vgaks6gg62v8707g73', 'form'],
    ['NEAR', 'Alice.near', 'form'],
    ['STELLAR', 'GA7QYNF7', 'form'],
  ])('on %s takes %s as wrong by its %s', (network, address, how) => {
    expect(addressFit(address, [network])).toBe(how);
  });

  it.each([
    ['BITCOIN', 0x00, BASE58],
    ['BITCOIN', 0x05, BASE58],
    ['LITECOIN', 0x30, BASE58],
    ['DOGECOIN', 0x16, BASE58],
    ['DASH', 0x10, BASE58],
    ['DIGIBYTE', 0x1e, BASE58],
    ['DIGIBYTE', 0x3f, BASE58],
    ['QTUM', 0x3a, BASE58],
    ['RAVENCOIN', 0x7a, BASE58],
    ['TRON', 0x41, BASE58],
    ['NEO', 0x35, BASE58],
    ['XRPL', 0x00, BASE58_XRP],
  ])('on %s knows any hash under version %i, and none with one character changed', (network, version, alphabet) => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), fc.nat({ max: 24 }), (hash, at) => {
        const body = Buffer.from([version, ...hash]);
        const text = base58Of(Buffer.concat([body, sha(sha(body)).subarray(0, 4)]), alphabet);
        expect(addressFit(text, [network])).toBe('fits');
        expect(addressFit(changed(text, 2 + at, alphabet), [network])).not.toBe('fits');
      }),
      { numRuns: 50 },
    );
  });

  it('takes an address of any network the asset is on, and notices one of none', () => {
    const on = ['TRON', 'ETHEREUM', 'SOLANA', 'TON'];
    for (const network of on)
      for (const a of valid[network] ?? []) expect(observeAddress(a, 'USDT', on, 'toAddress')).toEqual([]);
    expect(observeAddress('TAnotherAddress', 'USDT', on, 'toAddress')).toEqual([
      { code: 'ADDRESS_FORM', field: 'toAddress', message: 'not of the form of an address on a network of USDT' },
    ]);
    expect(observeAddress('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', 'USDT', on, 'toAddress')).toEqual([
      {
        code: 'ADDRESS_CHECKSUM',
        field: 'toAddress',
        message: 'the checksum is wrong for an address on a network of USDT',
      },
    ]);
  });

  it('judges nothing where there is no network, or one that is not known', () => {
    for (const on of [[], ['NOSUCH'], ['BITCOIN', 'NOSUCH'], ['constructor']]) {
      expect(observeAddress('anything', 'NGN', on, 'toAddress')).toEqual([]);
      expect(observeHash('anything', 'NGN', on, 'blochainHash')).toEqual([]);
    }
  });
});

describe('hashes', () => {
  const hex = '9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b';
  const body = Buffer.from(`0574${hex}`, 'hex');
  const tezosOperation = base58Of(Buffer.concat([body, sha(sha(body)).subarray(0, 4)]), BASE58);
  const solana = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
  it('begin with o on Tezos', () => expect(tezosOperation).toMatch(/^o.{50}$/));

  it.each([
    ['BITCOIN', hex],
    ['ETHEREUM', `0x${hex}`],
    ['TRON', hex],
    ['TRON', `0x${hex}`],
    ['XRPL', hex.toUpperCase()],
    ['SOLANA', solana],
    ['ALGORAND', 'YK54TGVZ37C7P76GKLXTY2LAH2522VD3U2434HRKE7NMXA65VHJA'],
    ['TEZOS', tezosOperation],
    ['TON', hex],
    ['HEDERA', '0.0.123@1700000000.123456789'],
    ['NEAR', '6zgh2u9DqHHiXzdy9ouTP7oGky2T4nugqzqt9wJZwNFm'],
    ['FILECOIN', `bafy2bza${'ceb'.repeat(18)}`],
  ])('knows on %s the form of %s', (network, hash) => {
    expect(hashFits(hash, [network])).toBe(true);
  });

  it.each([
    ['BITCOIN', hex.slice(1)],
    ['BITCOIN', `${hex}0`],
    ['ETHEREUM', '0xother'],
    ['ETHEREUM', `0X${hex}`],
    ['XRPL', hex],
    ['SOLANA', hex],
    ['SOLANA', solana.slice(2)],
    ['TEZOS', changed(tezosOperation, 20, BASE58)],
    ['SUI', hex],
    ['BITCOIN', ` ${hex}`],
  ])('notices on %s that %s has not its form', (network, hash) => {
    expect(hashFits(hash, [network])).toBe(false);
    expect(codes(observeHash(hash, 'X', [network], 'blochainHash'))).toEqual(['HASH_FORM']);
  });
});

it('gives observations, never errors, whatever the text, and quotes none of it', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 220 }),
    fc.string({ unit: 'grapheme-ascii', maxLength: 220 }),
    fc.stringMatching(/^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,34}$/),
    fc.constantFrom(...Object.values(valid).flat()).chain((a) => fc.nat(a.length).map((n) => a.slice(0, n))),
  );
  const country = fc.oneof(fc.constantFrom('NG', 'DE', 'GB', 'IN', 'KE', 'US', 'MX', 'CN', 'XK', ''), fc.string());
  fc.assert(
    fc.property(text, country, fc.constantFrom(...Object.keys(networks)), fc.jsonValue(), (t, c, network, details) => {
      const found = [
        ...observeTaxNumber(t, c.slice(0, 2), 'f'),
        ...observePhone(t, c.slice(0, 2), 'f'),
        ...observeIp(t, 'f'),
        ...observeBankDetails(details, 'f'),
        ...observeBankDetails({ iban: t, other: [t] }, 'f'),
        ...observeHash(t, 'BTC', [network], 'f'),
        ...observeAddress(t, 'BTC', [network], 'f'),
      ];
      for (const o of found) {
        expect(o).toEqual({ code: expect.stringMatching(/^[A-Z_]+$/), field: 'f', message: expect.any(String) });
        if (t.length > 8) expect(o.message).not.toContain(t);
      }
    }),
    { numRuns: 2_000 },
  );
  fc.assert(
    fc.property(fc.double(), fc.double(), country, (lat, lng, c) => {
      observeCoordinates(lat, lng, c, 'f');
    }),
  );
});
