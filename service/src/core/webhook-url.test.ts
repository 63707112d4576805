// Addresses that may be subscribed, and every known way of writing a forbidden one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';
import { isAllowedAddress, literalAddress, readWebhookUrl, type WebhookRules, WebhookUrlFault } from './webhook-url.ts';

const strict = { allowHttp: false, allowCidrs: [] };
const open = { allowHttp: true, allowCidrs: [] };
const read = (text: string, rules: WebhookRules): string | WebhookUrlFault => {
  const u = readWebhookUrl(text, rules);
  return u instanceof WebhookUrlFault ? u : u.href;
};

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
    expect(read(text, strict)).toBe(href);
  });

  it('in its normal form stays as it is', () => {
    const once = read('https://Hooks.example.com:443/a/../b', strict) as string;
    expect(read(once, strict)).toBe(once);
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
    const r = read(text, strict);
    expect(r).toBeInstanceOf(WebhookUrlFault);
    expect(String((r as WebhookUrlFault).why)).toContain(why);
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
    const r = read(`https://${host}/hook`, strict);
    expect(r, String(r)).toBeInstanceOf(WebhookUrlFault);
    expect(String((r as WebhookUrlFault).why)).toContain('names a host that is not public');
  });

  it('may be http, of any port and on this machine in development, but never of another scheme or with a password', () => {
    expect(read('http://localhost:3000/hook', open)).toBe('http://localhost:3000/hook');
    expect(read('http://app.localhost:3000/', open)).toBe('http://app.localhost:3000/');
    expect(read('http://127.8.9.1:1/', open)).toBe('http://127.8.9.1:1/');
    expect(read('http://[::1]:9/', open)).toBe('http://[::1]:9/');
    expect(read('ftp://localhost/', open)).toBeInstanceOf(WebhookUrlFault);
    expect(read('http://a:b@localhost/', open)).toBeInstanceOf(WebhookUrlFault);
  });

  it.each([
    'http://169.254.169.254/',
    'http://10.0.0.1/',
    'http://[fd00::1]/',
    'http://0.0.0.0/',
    'http://db.internal/',
  ])('is refused in development too: %s', (text) => {
    expect(read(text, open)).toBeInstanceOf(WebhookUrlFault);
  });

  it('may lie in an allowed range, and in no other that is not public', () => {
    const own = { allowHttp: false, allowCidrs: ['10.20.0.0/16', 'fd00:1::/32'] };
    expect(read('https://10.20.255.1/', own)).toBe('https://10.20.255.1/');
    expect(read('https://[fd00:1:2::3]/', own)).toBe('https://[fd00:1:2::3]/');
    for (const host of ['10.21.0.1', '[fd00:2::3]', '127.0.0.1', '[::ffff:10.20.0.1]'])
      expect(read(`https://${host}/`, own), host).toBeInstanceOf(WebhookUrlFault);
    expect(read('https://10.20.0.1:22/', own)).toBeInstanceOf(WebhookUrlFault);
    expect(read('http://10.20.0.1/', own)).toBeInstanceOf(WebhookUrlFault);
  });

  it('may be a name of the own network where ranges are allowed, since its addresses are checked', () => {
    const own = { allowHttp: false, allowCidrs: ['10.20.0.0/16'] };
    expect(read('https://receiver.internal/', own)).toBe('https://receiver.internal/');
    expect(read('https://receiver/', own)).toBe('https://receiver/');
    expect(isAllowedAddress('10.20.0.1', own)).toBe(true);
    expect(isAllowedAddress('10.21.0.1', own)).toBe(false);
    expect(isAllowedAddress('127.0.0.1', own)).toBe(false);
  });

  it('never throws, whatever the text, and takes only what parses to https on a public name', () => {
    const text = fc.oneof(
      fc.string(),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string().map((s) => `https://${s}`),
    );
    fc.assert(
      fc.property(text, (t) => {
        const r = read(t, strict);
        if (r instanceof WebhookUrlFault) return;
        const u = new URL(r);
        expect(u.protocol).toBe('https:');
        const address = literalAddress(u.hostname);
        expect(address === undefined ? u.hostname.includes('.') : isPublicAddress(address)).toBe(true);
        expect(`${u.username}${u.password}${u.hash}`).toBe('');
      }),
      { numRuns: 2000 },
    );
  });
});
