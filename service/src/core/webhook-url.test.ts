// Addresses that may be subscribed, and every known way of writing one that may not.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from './refusal.ts';
import { checkWebhookUrl, isInternal, isPublicV4, isPublicV6 } from './webhook-url.ts';

const strict = { allowHttp: false };

describe('a webhook address', () => {
  it.each([
    ['https://hooks.example.com/assay', 'https://hooks.example.com/assay'],
    ['https://hooks.example.com', 'https://hooks.example.com/'],
    ['HTTPS://Hooks.Example.COM:443/A?b=c', 'https://hooks.example.com/A?b=c'],
    ['https://hooks.example.com:8443/', 'https://hooks.example.com:8443/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700::6810:84e5]/', 'https://[2606:4700::6810:84e5]/'],
  ])('%s is taken as %s', (text, href) => {
    expect(checkWebhookUrl(text, strict)).toBe(href);
  });

  it('in its normal form stays as it is', () => {
    const once = checkWebhookUrl('https://Hooks.example.com:443/a/../b', strict) as string;
    expect(checkWebhookUrl(once, strict)).toBe(once);
  });

  it.each([
    ['no address', 'hooks', 'is not an absolute web address'],
    ['a relative one', '/hooks', 'is not an absolute web address'],
    ['http', 'http://hooks.example.com/', 'must start with https://'],
    ['another scheme', 'ftp://hooks.example.com/', 'must start with https://'],
    ['a script', 'javascript:alert(1)', 'must start with https://'],
    ['a file', 'file:///etc/passwd', 'must start with https://'],
    ['a user', 'https://user@hooks.example.com/', 'user name or password'],
    ['a password', 'https://:pw@hooks.example.com/', 'user name or password'],
    ['a fragment', 'https://hooks.example.com/#x', 'must not carry a fragment'],
    ['another port', 'https://hooks.example.com:22/', 'must use port 443 or 8443'],
    ['too long', `https://hooks.example.com/${'a'.repeat(2048)}`, 'longer than 2048'],
  ])('is refused: %s', (_, text, why) => {
    const r = checkWebhookUrl(text, strict);
    expect(r).toBeInstanceOf(Refusal);
    expect((r as Refusal).code).toBe('FIELD_INVALID');
    expect((r as Refusal).message).toContain(why);
  });

  it.each([
    'localhost',
    'localhost.',
    'LOCALHOST',
    'api.localhost',
    'printer.local',
    'metadata.google.internal',
    'router.home.arpa',
    'intranet',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '0',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '１２７.０.０.１',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[2001::1]',
    '[2001:0:4136:e378::1]',
    '[2002:7f00:1::]',
    '[3fff::1]',
    '[100::1]',
  ])('does not name the internal host %s', (host) => {
    const r = checkWebhookUrl(`https://${host}/hook`, strict);
    expect(r, String(r)).toBeInstanceOf(Refusal);
    expect((r as Refusal).message).toContain('names a host that is not public');
  });

  it('may be http and internal in development, but never another scheme or with a password', () => {
    const open = { allowHttp: true };
    expect(checkWebhookUrl('http://localhost:3000/hook', open)).toBe('http://localhost:3000/hook');
    expect(checkWebhookUrl('ftp://localhost/', open)).toBeInstanceOf(Refusal);
    expect(checkWebhookUrl('http://a:b@localhost/', open)).toBeInstanceOf(Refusal);
  });

  it('never throws, whatever the text, and takes only what parses to https on a public name', () => {
    const text = fc.oneof(
      fc.string(),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string().map((s) => `https://${s}`),
    );
    fc.assert(
      fc.property(text, (t) => {
        const r = checkWebhookUrl(t, strict);
        if (r instanceof Refusal) return;
        const u = new URL(r);
        expect(u.protocol).toBe('https:');
        expect(isInternal(u.hostname)).toBe(false);
        expect(`${u.username}${u.password}${u.hash}`).toBe('');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('address ranges', () => {
  it('of IPv4 are public outside the special blocks, to their very borders', () => {
    for (const a of ['9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'])
      expect(isPublicV4(a), a).toBe(true);
    for (const a of ['172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '223.255.255.255', '198.20.0.0'])
      expect(isPublicV4(a), a).toBe(true);
    for (const a of ['10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '127.255.255.255', '192.88.99.1'])
      expect(isPublicV4(a), a).toBe(false);
  });

  it('of IPv6 are public only in 2000::/3', () => {
    for (const a of ['2000::1', '2a00:1450::1', '3ffe::1']) expect(isPublicV6(a), a).toBe(true);
    for (const a of ['1fff::1', '4000::1', '::2', 'fe80::1', '']) expect(isPublicV6(a), a).toBe(false);
  });
});
