// The operation subscribeToClient (Spec 4.17).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import {
  contentOf,
  expectRefusal,
  guardsClientHeader,
  namesIgnoredFields,
  refusesOperators,
  refusesWrongTypes,
  requiresFields,
  type Wire,
} from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, told } from '../support/journal.ts';
import { subscribe } from '../support/webhooks.ts';

let t: TestApp;
let psp: Account;
let n = 0;
const path = '/v1/client/subscribeToClient';
const url = () => `https://hooks.example.com/assay/${++n}`;
const add = (webhookUrl: unknown, key: string, headers: Record<string, string> = {}) =>
  t.post(path, { webhookUrl }, key, headers);
let client: Account;
const wire: Wire = { app: () => t, method: 'POST', path, caller: () => client, body: () => ({ webhookUrl: url() }) };

beforeAll(async () => {
  // The limit stands in the way of the shared checks, which subscribe one account again and again.
  t = await makeTestApp({ env: { WEBHOOK_LIMIT: '1000' } });
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

describe('subscribeToClient', () => {
  describe('accepts', () => {
    it('answers with the client and all its addresses, in the order of subscription', async () => {
      const someone = await t.makeClient(psp);
      const [one, two] = [url(), url()];
      const r = await add(one, someone.apiKey);
      expect(contentOf(r)).toEqual({ clientId: someone.id, webhookUrls: [one] });
      expect(r.body.message).toBe('subscribed');
      expect(contentOf(await add(two, someone.apiKey))).toEqual({
        clientId: someone.id,
        webhookUrls: [one, two],
      });
      expect(contentOf(await t.get('/v1/webhook', someone.apiKey)).items.map((w: { url: string }) => w.url)).toEqual([
        two,
        one,
      ]);
    });

    it('takes ports 443 and 8443, paths and queries', async () => {
      const someone = await t.makeClient(psp);
      for (const [given, kept] of [
        ['https://hooks.example.com:443/a', 'https://hooks.example.com/a'],
        ['https://hooks.example.com:8443/a', 'https://hooks.example.com:8443/a'],
        ['https://HOOKS.example.com/B?c=d', 'https://hooks.example.com/B?c=d'],
        ['https://8.8.8.8/hook', 'https://8.8.8.8/hook'],
        ['https://[2606:4700::1111]/hook', 'https://[2606:4700::1111]/hook'],
      ] as const)
        expect(contentOf(await add(given, someone.apiKey)).webhookUrls).toContain(kept);
    });

    it("subscribes the PSP's own account, or the client in x-client-id", async () => {
      const house = await t.makePsp();
      const shop = await t.makeClient(house);
      expect(contentOf(await add(url(), house.apiKey)).clientId).toBe(house.id);
      const named = contentOf(await add(url(), house.apiKey, { 'x-client-id': shop.id }));
      expect(named.clientId).toBe(shop.id);
      expect(named.webhookUrls).toHaveLength(1);
    });

    it('takes plain http only where the setting allows it', async () => {
      const lax = await makeTestApp({ env: { WEBHOOK_ALLOW_HTTP: 'true' } });
      try {
        const house = await lax.makePsp();
        contentOf(await lax.post(path, { webhookUrl: 'http://127.0.0.1:9999/hook' }, house.apiKey));
      } finally {
        await lax.stop();
      }
    });

    it('takes addresses of the own network only where the setting names their range', async () => {
      const near = await makeTestApp({ env: { WEBHOOK_ALLOW_CIDRS: '10.20.0.0/16, fd00:1::/32' } });
      try {
        const house = await near.makePsp();
        const ask = (webhookUrl: string) => near.post(path, { webhookUrl }, house.apiKey);
        for (const good of ['https://10.20.1.1/', 'https://[fd00:1::2]/', 'https://receiver.internal/'])
          expect(contentOf(await ask(good)).webhookUrls).toContain(good);
        for (const bad of ['https://10.21.1.1/', 'https://127.0.0.1/', 'https://169.254.169.254/'])
          expectRefusal(await ask(bad), 400, 'FIELD_INVALID', /names a host that is not public/);
      } finally {
        await near.stop();
      }
    });
  });

  describe('validates', () => {
    requiresFields(wire, ['webhookUrl']);
    refusesWrongTypes(wire, { text: ['webhookUrl'] });
    namesIgnoredFields(wire);

    it.each([
      ['', 'must not be empty'],
      ['not an address', 'is not an absolute web address'],
      ['/relative', 'is not an absolute web address'],
      ['http://hooks.example.com/', 'must start with https://'],
      ['ftp://hooks.example.com/', 'must start with https://'],
      ['javascript:alert(1)', 'must start with https://'],
      ['https://user:pass@hooks.example.com/', 'must not carry a user name or password'],
      ['https://hooks.example.com/#part', 'must not carry a fragment'],
      ['https://hooks.example.com:22/', 'must use port 443 or 8443'],
      ['https://hooks.example.com:8080/', 'must use port 443 or 8443'],
      [`https://hooks.example.com/${'a'.repeat(2048)}`, 'may have at most 2048 characters'],
    ])("refuses '%s'", async (webhookUrl, why) => {
      expectRefusal(await add(webhookUrl, client.apiKey), 400, 'FIELD_INVALID', `the field 'webhookUrl' ${why}`);
    });

    it.each([
      'https://localhost/',
      'https://a.localhost/',
      'https://intranet/',
      'https://db.internal/',
      'https://printer.local/',
      'https://127.0.0.1/',
      'https://127.1/',
      'https://2130706433/',
      'https://0x7f000001/',
      'https://0177.0.0.1/',
      'https://0.0.0.0/',
      'https://10.0.0.1/',
      'https://172.16.0.1/',
      'https://172.31.255.255/',
      'https://192.168.1.1/',
      'https://169.254.169.254/latest/meta-data/',
      'https://100.64.0.1/',
      'https://198.18.0.1/',
      'https://224.0.0.1/',
      'https://255.255.255.255/',
      'https://[::1]/',
      'https://[::]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:7f00:1]/',
      'https://[fe80::1]/',
      'https://[fc00::1]/',
      'https://[64:ff9b::7f00:1]/',
      'https://[2002:7f00:1::]/',
      'https://[2001:db8::1]/',
    ])('refuses the internal address %s', async (webhookUrl) => {
      const before = await entryCount(t);
      expectRefusal(
        await add(webhookUrl, client.apiKey),
        400,
        'FIELD_INVALID',
        /^the field 'webhookUrl' names a host that is not public: /,
      );
      expect(await entryCount(t)).toBe(before);
    });

    describe('the name in the address', () => {
      let dns: DnsServer;
      let asking: TestApp;
      let shop: Account;
      const ask = (host: string) => asking.post(path, { webhookUrl: `https://${host}/hook` }, shop.apiKey);
      beforeAll(async () => {
        dns = await startDnsServer();
        asking = await makeTestApp({ env: { WEBHOOK_DNS: dns.address } });
        shop = await asking.makeClient(await asking.makePsp());
      });
      afterAll(async () => {
        await asking?.stop();
        await dns?.stop();
      });

      it.each([
        ['a private address', ['10.0.0.7']],
        ['the metadata service', ['169.254.169.254']],
        ['this machine', ['::1']],
        ['one private address among public ones', ['8.8.8.8', '192.168.1.1', '1.1.1.1']],
        ['one private address of the other family', ['8.8.8.8', 'fd00::1']],
      ])('may not lead to %s', async (_, addresses) => {
        dns.answer('sly.hooks.test', addresses);
        const before = await entryCount(asking);
        expectRefusal(
          await ask('sly.hooks.test'),
          400,
          'FIELD_INVALID',
          "the field 'webhookUrl' names a host that is not public: sly.hooks.test",
        );
        expect(await entryCount(asking)).toBe(before);
      });

      it('is taken where it leads to public addresses, and where DNS does not know it or gives no answer', async () => {
        dns.answer('fine.hooks.test', ['8.8.8.8', '2606:4700::1111']);
        dns.answer('silent.hooks.test', null);
        for (const name of ['fine', 'unknown', 'silent'])
          expect(contentOf(await ask(`${name}.hooks.test`)).webhookUrls).toContain(`https://${name}.hooks.test/hook`);
        expect(dns.asked).toEqual(expect.arrayContaining(['fine.hooks.test', 'unknown.hooks.test']));
      });

      it('is asked for again at a test and at each delivery: one that has turned inwards by then is not called', async () => {
        const sending = await makeTestApp({ env: { WEBHOOK_DNS: dns.address, WEBHOOK_CONCURRENCY: '8' } });
        try {
          const house = await sending.makePsp();
          const id = await subscribe(sending, house, 'https://turncoat.hooks.test/hook');
          dns.answer('turncoat.hooks.test', ['8.8.8.8', '127.0.0.1']);
          expectRefusal(
            await sending.post(`/v1/webhook/${id}/test`, '', house.apiKey),
            409,
            'STATE_CONFLICT',
            "the webhook's address names a host that is not public: turncoat.hooks.test; nothing is sent there",
          );
          sending.advance(6_000);
          await until('a delivery was refused by the guard', async () => {
            const { items } = contentOf(await sending.get(`/v1/webhook/${id}/deliveries`, house.apiKey));
            return items.some((d: { lastReason: string }) => d.lastReason === 'ADDRESS_NOT_PUBLIC');
          });
        } finally {
          await sending.stop();
        }
      });
    });

    it('refuses more addresses than the setting allows', async () => {
      const few = await makeTestApp({ env: { WEBHOOK_LIMIT: '2' } });
      try {
        const house = await few.makePsp();
        const another = (i: number) => few.post(path, { webhookUrl: `https://hooks.example.com/${i}` }, house.apiKey);
        contentOf(await another(1));
        contentOf(await another(2));
        expectRefusal(
          await another(3),
          409,
          'LIMIT_REACHED',
          'a client can have at most 2 webhook addresses; remove one first',
        );
        // One that stands already is no further one.
        expect(contentOf(await another(1)).webhookUrls).toHaveLength(2);
      } finally {
        await few.stop();
      }
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'subscribeToClient');
    guardsClientHeader(wire);
  });

  describe('repeats', () => {
    it('changes nothing when an address is subscribed again, however it is spelt', async () => {
      const someone = await t.makeClient(psp);
      const first = await add('https://hooks.example.com/again', someone.apiKey);
      const before = await entryCount(t);
      for (const same of ['https://hooks.example.com/again', 'https://HOOKS.EXAMPLE.COM:443/again']) {
        const again = await add(same, someone.apiKey);
        expect(again.text).toBe(first.text);
        expect(again.headers.get('idempotency-replayed')).toBe('true');
      }
      expect(await entryCount(t)).toBe(before);
    });

    it('keeps one of many concurrent equal addresses and each of many different ones', async () => {
      const someone = await t.makeClient(psp);
      const same = url();
      for (const r of await Promise.all(Array.from({ length: 10 }, () => add(same, someone.apiKey))))
        expect(contentOf(r).webhookUrls).toEqual([same]);
      const others = Array.from({ length: 8 }, url);
      await Promise.all(others.map((u) => add(u, someone.apiKey)));
      const { items } = contentOf(await t.get('/v1/webhook', someone.apiKey));
      expect(items.map((w: { url: string }) => w.url).sort()).toEqual([same, ...others].sort());
    });

    it('lets ten of thirty concurrent addresses in, no more and no fewer, and then no eleventh', async () => {
      const usual = await makeTestApp();
      try {
        const house = await usual.makePsp();
        const someone = await usual.makeClient(house);
        const add = () => usual.post(path, { webhookUrl: url() }, someone.apiKey);
        const full = 'a client can have at most 10 webhook addresses; remove one first';
        const answers = await Promise.all(Array.from({ length: 30 }, add));
        for (const r of answers) if (r.status !== 200) expectRefusal(r, 409, 'LIMIT_REACHED', full);
        // Each saw the addresses before its own.
        const seen = answers.filter((r) => r.status === 200).map((r) => contentOf(r).webhookUrls.length);
        expect(seen.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        expectRefusal(await add(), 409, 'LIMIT_REACHED', full);
        expect(contentOf(await usual.get('/v1/webhook', someone.apiKey)).items).toHaveLength(10);
        expect((await told(usual, someone.id)).map((e) => e.body.version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        // The limit is each account's own.
        contentOf(await usual.post(path, { webhookUrl: url() }, house.apiKey));
      } finally {
        await usual.stop();
      }
    });

    it('records thirty concurrent equal subscriptions once', async () => {
      const someone = await t.makeClient(psp);
      const same = url();
      const answers = await Promise.all(Array.from({ length: 30 }, () => add(same, someone.apiKey)));
      expect(new Set(answers.map((r) => r.text)).size).toBe(1);
      expect(answers.filter((r) => r.headers.get('idempotency-replayed') === null)).toHaveLength(1);
      expect((await told(t, someone.id)).map((e) => e.kind)).toEqual(['client.created', 'client.updated']);
    });

    it('goes on working for transactions right after', async () => {
      // Subscribing changes the account; a decision over the account as it was must not be lost.
      const someone = await t.makeClient(psp);
      const verify = (ref: string) =>
        t.post(
          '/v1/transaction/verifyTransaction',
          {
            ref,
            totalAmount: 10,
            currency: 'NGN',
            countryCode: 'NG',
            paymentMethods: { card: 10 },
            transactionFee: 0,
          },
          someone.apiKey,
        );
      const answers = await Promise.all([
        verify('w-1'),
        add(url(), someone.apiKey),
        verify('w-2'),
        add(url(), someone.apiKey),
        verify('w-3'),
      ]);
      for (const r of answers) contentOf(r);
    });
  });

  describe('tells', () => {
    it("writes a Client Change with the client's addresses and who added the new one", async () => {
      const someone = await t.makeClient(psp);
      const webhookUrl = url();
      contentOf(await add(webhookUrl, psp.apiKey, { 'x-client-id': someone.id }));
      const entries = await told(t, someone.id);
      expect(entries.map((e) => e.kind)).toEqual(['client.created', 'client.updated']);
      expect(entries[1]?.body).toMatchObject({
        event: 'Client Change',
        clientId: someone.id,
        actor: { account: psp.id, by: expect.stringMatching(/^key_/) },
      });
      const { webhookUrls, ...data } = entries[1]?.body.data ?? {};
      expect(webhookUrls).toEqual([webhookUrl]);
      expect(data).toEqual(contentOf(await t.get(`/v1/client/${someone.id}`, psp.apiKey)));
    });

    it("keeps the client's contact, key and secret out of the journal", async () => {
      const someone = await t.makeClient(psp, { email: 'wole@books.example', phoneNumber: '+2348031110001' });
      contentOf(await add(url(), someone.apiKey));
      const entries = await told(t, someone.id);
      expect(entries).toHaveLength(2);
      for (const e of entries)
        for (const secret of ['wole@books.example', '8031110001', someone.secret, someone.apiKey])
          expect(e.text).not.toContain(secret);
    });

    it('keeps records and journal one to one, numbered without gaps', async () => {
      await Promise.all(Array.from({ length: 10 }, () => add(url(), client.apiKey)));
      await expectJournalComplete(t);
    });
  });
});
