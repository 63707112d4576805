// The guard against requests to internal addresses: every spelling and every detour is tried against receivers that
// really run, and none of them receives a connection.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebhookUrlFault } from '../../src/core/webhook-url.ts';
import { type Outcome, Outgoing } from '../../src/platform/outgoing.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { answers, type Receiver, startReceiver, testCertificate } from '../support/receivers.ts';

// Strict rules allow two ports, of which this one needs no rights. Each test file has an address of its own, since
// the port is fixed.
const port = 8443;
const own = `127.${1 + (process.pid % 250)}.${Math.floor(process.pid / 250) % 250}.17`;
const allowed = own.replace(/17$/, '18');

let inside: Receiver;
let outside: Receiver;
let dns: DnsServer;
/** As in production. */
let strict: Outgoing;
/** Takes the one address `allowed` for public, so that something can be reached at all. */
let open: Outgoing;

beforeAll(async () => {
  [inside, outside, dns] = await Promise.all([
    startReceiver({ tls: true, host: own, port }),
    startReceiver({ tls: true, host: allowed, port }),
    startDnsServer(),
  ]);
});
afterAll(() => Promise.all([inside.stop(), outside.stop(), dns.stop()]));
beforeEach(() => {
  const rest = { allowHttp: false, ca: testCertificate, dnsServers: [dns.address] };
  strict = new Outgoing({ ...rest, allowCidrs: [] });
  open = new Outgoing({ ...rest, allowCidrs: [`${allowed}/32`] });
});
afterEach(async () => {
  await Promise.all([strict.close(), open.close()]);
  expect(inside.connections, 'connections to the receiver inside').toBe(0);
});

const send = (host: string, outgoing = strict): Promise<Outcome> => outgoing.send(`https://${host}:${port}/`, '{}', {});
const refused = { status: null, stage: 'guard', reason: 'ADDRESS_NOT_PUBLIC', response: null };

/** Every way that URLs know to write an IPv4 address. */
function spellings(address: string): string[] {
  const parts = address.split('.').map(Number) as [number, number, number, number];
  const [a, b, c, d] = parts;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (n: number) => n.toString(16);
  const wide = address.replace(/\d/g, (n) => String.fromCharCode(0xff10 + Number(n)));
  return [
    address,
    `${address}.`,
    `${whole}`,
    `0x${hex(whole)}`,
    `0${whole.toString(8)}`,
    parts.map((n) => `0x${hex(n)}`).join('.'),
    parts.map((n) => `0${n.toString(8)}`).join('.'),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    wide,
    `${a}。${b}。${c}。${d}`,
    address.replace('.', '%2e'),
    `[::ffff:${address}]`,
    `[::ffff:${hex(a * 256 + b)}:${hex(c * 256 + d)}]`,
    `[0:0:0:0:0:FFFF:${hex(a * 256 + b)}:${hex(c * 256 + d)}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${hex(a * 256 + b)}:${hex(c * 256 + d)}::1]`,
  ];
}

const notPublic = [
  ['10.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.1.1', '100.64.0.1'],
  ['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3'],
  ['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192'],
  ['192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.88.99.1', '224.0.0.1', '255.255.255.255'],
  ['::', '::1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '100::1', '2001:db8::1', '3fff::1'],
  ['::ffff:127.0.0.1', '::ffff:169.254.169.254', '::7f00:1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1'],
  ['2001::1', '2002:7f00:1::1', '2001:0:7f00:1::', '2001:20::1'],
].flat();

describe('an address that is not public', () => {
  it.each(spellings(own))('is not called as %s', async (host) => {
    expect(await send(host)).toMatchObject(refused);
    expect(await strict.check(`https://${host}:${port}/`)).toBeInstanceOf(WebhookUrlFault);
  });

  it('is reached by the test in the same way once it is allowed, so that the others prove something', async () => {
    const before = outside.connections;
    for (const host of spellings(allowed).filter((h) => !h.startsWith('['))) {
      const fresh = new Outgoing({ allowHttp: false, allowCidrs: [`${allowed}/32`] });
      // Without its certificate trusted a connection is all that comes about.
      expect(await send(host, fresh), host).toMatchObject({ stage: 'connect', reason: 'TLS_FAILED' });
      await fresh.close();
    }
    expect(outside.connections - before).toBe(13);
  });

  it.each(notPublic)('is not called through a name that leads to it: %s', async (address) => {
    dns.answer('sly.hooks.test', [address]);
    expect(await send('sly.hooks.test')).toMatchObject(refused);
    const fault = (await strict.check('https://sly.hooks.test/')) as WebhookUrlFault;
    expect([fault.reason, String(fault.why)]).toEqual([
      'ADDRESS_NOT_PUBLIC',
      'names a host that is not public: sly.hooks.test',
    ]);
  });

  it.each(['localhost', 'a.localhost', 'intranet', 'metadata.google.internal', 'printer.local'])(
    'is not called by the name of %s, whatever DNS says',
    async (host) => {
      dns.answer(host, [own]);
      expect(await send(host)).toMatchObject(refused);
      expect(dns.asked).not.toContain(host);
    },
  );

  it('is not called in development either, unless it is this machine itself', async () => {
    const lax = new Outgoing({ allowHttp: true, allowCidrs: [], dnsServers: [dns.address] });
    for (const address of notPublic.filter((a) => !a.startsWith('127.') && a !== '::1')) {
      dns.answer('lax.hooks.test', [address]);
      const host = address.includes(':') ? `[${address}]` : address;
      for (const url of [`http://lax.hooks.test/`, `http://${host}/`])
        expect(await lax.send(url, '{}', {}), url).toMatchObject(refused);
    }
    await lax.close();
  });
});

describe('a name with several addresses', () => {
  it.each([
    ['before', () => [own, allowed]],
    ['after', () => [allowed, own]],
    ['of the other family beside', () => [allowed, '::1']],
    ['among many', () => [allowed, ...Array<string>(9).fill('8.8.8.8'), own]],
  ] as [string, () => string[]][])('is not called at all if one is not public: %s the others', async (_, addresses) => {
    const before = outside.connections;
    dns.answer('many.hooks.test', addresses());
    expect(await open.check('https://many.hooks.test/')).toBeInstanceOf(WebhookUrlFault);
    expect(await send('many.hooks.test', open)).toMatchObject(refused);
    expect(outside.connections).toBe(before);
  });

  it('is called if all are', async () => {
    dns.answer('good.hooks.test', [allowed, allowed]);
    expect(await send('good.hooks.test', open)).toMatchObject({ status: 200, reason: 'OK' });
  });
});

describe('a name that changes where it leads', () => {
  it('between check and delivery is not called', async () => {
    let times = 0;
    dns.answer('turncoat.hooks.test', () => [times++ < 2 ? '8.8.8.8' : own]);
    expect(await strict.check('https://turncoat.hooks.test/')).toBeInstanceOf(URL);
    expect(await send('turncoat.hooks.test')).toMatchObject(refused);
  });

  it('with every question is called where it was seen to lead, since a connection asks only once', async () => {
    const questions = () => dns.asked.filter((n) => n === 'rebinding.hooks.test').length;
    let times = 0;
    // Two questions make one look-up: one for each family.
    dns.answer('rebinding.hooks.test', () => [times++ < 2 ? allowed : own]);
    const before = outside.received.length;
    expect(await send('rebinding.hooks.test', open)).toMatchObject({ status: 200, reason: 'OK' });
    expect(questions()).toBe(2);
    expect(outside.received.length - before).toBe(1);
  });

  it('is refused at the next connection, and the answers so far do not help it', async () => {
    let now = allowed;
    dns.answer('later.hooks.test', () => [now]);
    outside.behave(answers(200, '', { Connection: 'close' }));
    expect(await send('later.hooks.test', open)).toMatchObject({ reason: 'OK' });
    now = own;
    expect(await send('later.hooks.test', open)).toMatchObject(refused);
    outside.behave(answers(200));
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('of status %i to an address inside is not followed', async (status) => {
    dns.answer('bounce.hooks.test', [allowed]);
    for (const location of [`https://${own}:${port}/`, `//${own}:${port}/`, 'http://169.254.169.254/latest/']) {
      outside.behave(answers(status, '', { Location: location, Refresh: `0;url=${location}` }));
      expect(await send('bounce.hooks.test', open)).toMatchObject({ status, reason: 'REDIRECT', stage: 'answer' });
    }
    outside.behave(answers(200));
  });
});

describe('an address that is no webhook address', () => {
  it.each([
    'http://hooks.example.com/',
    'https://hooks.example.com:22/',
    'https://user:pass@hooks.example.com/',
    'ftp://hooks.example.com/',
    'file:///etc/passwd',
    'gopher://hooks.example.com/',
    'data:text/plain,x',
    'hooks.example.com',
    '',
    'https://',
    'https://[fe80::1%25eth0]/',
    'https://a b/',
  ])("is not called: '%s'", async (url) => {
    expect(await strict.send(url, '{}', {})).toMatchObject({ status: null, stage: 'guard', reason: 'BAD_URL' });
    expect(await strict.check(url)).toBeInstanceOf(WebhookUrlFault);
  });

  it('is told from a good one, whose name is asked for but which is not called', async () => {
    dns.answer('fine.hooks.test', [allowed]);
    const before = outside.connections;
    expect(await open.check(`https://Fine.hooks.test:${port}/`)).toMatchObject({ hostname: 'fine.hooks.test' });
    expect(await open.check(`https://${allowed}:${port}/`)).toBeInstanceOf(URL);
    expect(outside.connections).toBe(before);
  });

  it.each([
    ['DNS does not know', undefined],
    ['nobody answers for', null],
  ])('may have a name that %s when it is checked; it is then not called', async (_, answer) => {
    if (answer === null) dns.answer('nowhere.hooks.test', null);
    expect(await strict.check('https://nowhere.hooks.test/')).toBeInstanceOf(URL);
    expect(await send('nowhere.hooks.test')).toMatchObject({ status: null, reason: 'DNS_FAILED' });
  });
});

it('the guard does not start with a range that is none', () => {
  expect(() => new Outgoing({ allowHttp: false, allowCidrs: ['10.0.0.0/8', '10.0.0.0/64'] })).toThrow(
    "'10.0.0.0/64', which is no range of addresses",
  );
});
