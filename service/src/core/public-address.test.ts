// The ranges of IP addresses, at their boundaries and against a library that also knows them.
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { isLoopback, isPublicAddress, isWithin, parseRange } from './public-address.ts';

describe('public addresses', () => {
  it.each([
    ['9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0', '169.253.255.255'],
    ['169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.88.98.255', '192.167.255.255', '192.169.0.0'],
    [
      '168.63.129.15',
      '168.63.129.17',
      '198.17.255.255',
      '198.20.0.0',
      '203.0.112.255',
      '203.0.114.0',
      '223.255.255.255',
      '1.0.0.0',
    ],
    ['2000::1', '2001:200::1', '2001:db7::1', '2001:db9::1', '2003::1', '2a00:1450::1', '3ffe::1', '3fff:1000::1'],
  ])('are %s, %s …', (...list) => {
    for (const a of list) expect(isPublicAddress(a), a).toBe(true);
  });

  it.each([
    ['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '127.255.255.255'],
    [
      '168.63.129.16',
      '169.254.169.254',
      '172.16.0.0',
      '172.31.255.255',
      '192.0.0.8',
      '192.0.2.255',
      '192.88.99.1',
      '192.168.255.255',
    ],
    ['198.18.0.0', '198.19.255.255', '198.51.100.1', '203.0.113.255', '224.0.0.0', '239.1.1.1', '240.0.0.1'],
    ['::', '::1', '::7f00:1', '::ffff:8.8.8.8', '::ffff:808:808', '64:ff9b::808:808', '64:ff9b:1::1', '100::1'],
    ['1fff::1', '4000::1', '5f00::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fec0::1', 'ff02::1'],
    ['2001::1', '2001:0:1::', '2001:10::1', '2001:1ff::1', '2001:db8::1', '2002:808:808::1', '3fff::1', '3fff:fff::1'],
  ])('are not %s, %s …', (...list) => {
    for (const a of list) expect(isPublicAddress(a), a).toBe(false);
  });

  it.each([
    '',
    'localhost',
    '8.8.8',
    '8.8.8.8.8',
    '8.8.8.256',
    '08.8.8.8',
    '0x8.8.8.8',
    '134744072',
    ' 8.8.8.8',
    '2a00::1::2',
    '2a00:1',
    '2a00::1%eth0',
    '2a00:1:2:3:4:5:6:7:8',
    '2a00:1:2:3:4:5:6::7:8',
    '2a00::g',
    '2a00::12345',
    '2a00::1:',
    ':2a00::1',
  ])("are no texts that are not addresses: '%s'", (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  it('of IPv4 are never ones that ipaddr.js holds for special', () => {
    fc.assert(
      fc.property(fc.ipV4(), (a) => {
        if (isPublicAddress(a)) expect(ipaddr.parse(a).range(), a).toBe('unicast');
      }),
      { numRuns: 5000 },
    );
  });

  it('of IPv6 are never ones that ipaddr.js holds for special, however they are written', () => {
    const near = fc
      .tuple(fc.constantFrom('2000', '2001', '2002', '3fff', '64', '2620'), fc.ipV6())
      .map(([head, tail]) => {
        const rest = ipaddr.parse(tail.includes('.') ? '::' : tail).toNormalizedString();
        return ipaddr.parse(`${head}:${rest.split(':').slice(1).join(':')}`).toString();
      });
    fc.assert(
      fc.property(fc.oneof(near, fc.ipV6()), (a) => {
        if (isPublicAddress(a)) expect(ipaddr.parse(a).range(), a).toBe('unicast');
      }),
      { numRuns: 5000 },
    );
  });

  it('are told from loopback, which has two ranges', () => {
    for (const a of ['127.0.0.1', '127.255.0.1', '::1', '0:0:0:0:0:0:0:1']) expect(isLoopback(a), a).toBe(true);
    for (const a of ['126.0.0.1', '128.0.0.1', '::', '::2', '::ffff:127.0.0.1', 'localhost'])
      expect(isLoopback(a), a).toBe(false);
  });
});

describe('a range of addresses', () => {
  it('holds what begins with its bits, whatever the rest says', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (base, address, bits) => {
        const range = parseRange(`${base}/${bits}`);
        expect(range).toBeDefined();
        expect(isWithin(address, range ? [range] : [])).toBe(
          ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parse(base), bits),
        );
      }),
    );
  });

  it('of IPv6 holds no IPv4 address and the other way round', () => {
    const all = ['0.0.0.0/0', '::/0'].map((text) => parseRange(text));
    expect(isWithin('1.2.3.4', all[1] ? [all[1]] : [])).toBe(false);
    expect(isWithin('::1', all[0] ? [all[0]] : [])).toBe(false);
    expect(isWithin('2a00::1', all[1] ? [all[1]] : [])).toBe(true);
  });

  it.each(['10.0.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '::/129', '/8', 'x/8', '10.0.0.0/8/8', '010.0.0.0/8'])(
    'is not %s',
    (text) => {
      expect(parseRange(text)).toBeUndefined();
    },
  );
});
