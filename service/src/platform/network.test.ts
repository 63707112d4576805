// The holder of an address: an IPv6 holder has 2^64 addresses, which count as one.
import { describe, expect, it } from 'vitest';
import { coarseNetwork, networkOf } from './network.ts';

describe('the network of an address', () => {
  it('is the address itself for IPv4, however it is written, and 64 bits of IPv6', () => {
    expect(networkOf('192.0.2.7')).toBe('192.0.2.7');
    expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff:ffff:ffff:ffff'));
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
    expect(networkOf(undefined)).toBe('unknown');
  });

  it('is the same where a proxy adds the port of the connection, as some do', () => {
    expect(networkOf('192.0.2.7:51034')).toBe('192.0.2.7');
    expect(networkOf('[2001:db8:1:2::1]:51034')).toBe(networkOf('2001:db8:1:2::1'));
    expect(networkOf('[2001:db8:1:2::1]')).toBe(networkOf('2001:db8:1:2::1'));
    for (const none of [':51034', '[]:1', '[192.0.2', '192.0.2.7:1:2', 'unknown:80', ''])
      expect([none, networkOf(none)]).toEqual([none, 'unknown']);
  });

  it('is logged as a /24 or a /64', () => {
    expect(coarseNetwork('192.0.2.7')).toBe('192.0.2.0/24');
    expect(coarseNetwork('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64');
    expect(coarseNetwork('no address')).toBe('unknown');
  });
});
