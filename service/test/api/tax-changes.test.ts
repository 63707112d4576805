// GET /v1/tax/changes and its feed: what changes in the rules in force, past and to come.
import { XmlDocument } from 'libxml2-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, send, type Wire } from '../support/guarantees.ts';
import { entryCount } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
const list = '/v1/tax/changes';
const feed = '/v1/tax/changes.atom';
const changes = (query: string) => t.get(`${list}?${query}`, client.apiKey);
const idsOf = (c: { items: { changeId: string }[] }) => c.items.map((i) => i.changeId);

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-11-25T10:00:00Z' });
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t.stop());

describe('listTaxChanges', () => {
  it('names the rate before and after, with law, source and confidence', async () => {
    const c = contentOf(await changes('country=FIN&since=2024-09-01&until=2024-09-01'));
    expect(c).toMatchObject({
      since: '2024-09-01',
      until: '2024-09-01',
      country: 'FI',
      dataset: t.app.services.rates.book.version,
    });
    expect(c.items.find((i: { ruleId: string }) => i.ruleId === 'FI-VAT-STANDARD-2024')).toMatchObject({
      kind: 'CHANGES',
      day: '2024-09-01',
      title: 'Finland, VAT on sales: 25.5 % in place of 24 %',
      operations: ['verifyTransaction'],
      supplies: [],
      subdivision: null,
      before: [{ ruleId: 'FI-VAT-STANDARD-2013', rate: '24 %' }],
      after: [{ ruleId: 'FI-VAT-STANDARD-2024', rate: '25.5 %' }],
      source: { title: expect.any(String), retrievedOn: expect.any(String) },
      confidence: expect.any(String),
    });
  });

  it('is of the last 90 days and all days to come unless it is told otherwise', async () => {
    const c = contentOf(await t.get(list, client.apiKey));
    expect([c.since, c.until, c.country]).toEqual(['2026-08-27', null, null]);
    const days = c.items.map((i: { day: string }) => i.day);
    expect(days).toEqual([...days].sort());
    expect(days.at(0)).toBe('2026-09-02');
    // Enacted: the United Kingdom's remote betting rate of 2027, Estonia's of 2029.
    expect(idsOf(c)).toContain('GB-GGR-REMOTEBETTING-2027.start');
    expect(idsOf(c)).toContain('EE-GGR-REMOTE-2029.start');
  });

  it('takes rules that staff loaded, from the moment they are in force', async () => {
    const operator = await t.makeOperator();
    const { country: file } = t.app.services.rates.book.rule('NG-VAT-STANDARD-2026') as never as {
      country: { rules: { ruleId: string }[] };
    };
    const loaded = {
      ...file,
      rules: file.rules.flatMap((r) =>
        r.ruleId === 'NG-VAT-STANDARD-2026'
          ? [
              { ...r, validTo: '2027-01-01' },
              { ...r, ruleId: 'NG-VAT-STANDARD-2027', rate: '10', validFrom: '2027-01-01' },
            ]
          : [r],
      ),
    };
    const asked = 'country=NG&since=2027-01-01&until=2027-01-01';
    expect(contentOf(await changes(asked)).items).toEqual([]);
    const body = { country: loaded, reason: 'Finance Act 2027' };
    contentOf(await t.post('/v1/admin/tax', body, operator.apiKey));
    const [change] = contentOf(await changes(asked)).items;
    expect(change.title).toBe('Nigeria, VAT on sales: 10 % in place of 7.5 %');
  });

  it.each([
    ['since=2026-02-30', 'QUERY_INVALID', /'since' must be a day of the calendar/],
    ['until=21.11.2026', 'QUERY_INVALID', /'until'/],
    ['since=2026-01-02&until=2026-01-01', 'QUERY_INVALID', /'until' must not be before 'since'/],
    ['until=2020-01-01', 'QUERY_INVALID', /'until' must not be before 'since' \(2026-08-27\)/],
    ['country=ZZ', 'UNKNOWN_COUNTRY', /^the field 'country' is not/],
    // It has no rules at all, which is not the same as no change.
    ['country=KP', 'NO_TAX_RULE', "no tax rule for country 'KP'; an operator of the service can add one"],
  ])('refuses %s, as the feed does', async (query, code, message) => {
    expectRefusal(await changes(query), 400, code, message);
    expectRefusal(await t.get(`${feed}?${query}`, client.apiKey), 400, code, message);
  });

  it('answers PSPs, clients and operators alike, and records nothing', async () => {
    const operator = await t.makeOperator();
    const before = await entryCount(t);
    for (const path of [list, feed]) {
      const wire: Wire = { app: () => t, method: 'GET', path, caller: () => client };
      const answers = await Promise.all([psp, client, operator].map((a) => send(wire, a.apiKey)));
      for (const r of answers) expect([r.status, r.text]).toEqual([200, answers[0]?.text]);
    }
    expect(await entryCount(t)).toBe(before);
  });
});

describe('getTaxChangesFeed', () => {
  const namespaces = { a: 'http://www.w3.org/2005/Atom' };
  const read = (text: string, path: string): string[] => {
    const document = XmlDocument.fromString(text);
    try {
      return document.root.find(path, namespaces).map((n) => n.content);
    } finally {
      document.dispose();
    }
  };

  it('has the same changes as the list, the latest first', async () => {
    const asked = 'country=EE&since=2025-01-01';
    const { items } = contentOf(await changes(asked));
    const answer = await t.get(`${feed}?${asked}`, client.apiKey);
    expect(answer.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    const titles = read(answer.text, '/a:feed/a:entry/a:title');
    expect(titles).toEqual(items.map((i: { day: string; title: string }) => `${i.day} ${i.title}`).reverse());
    expect(titles).toContain('2025-07-01 Estonia, VAT on sales: 24 % in place of 22 %');
    expect(read(answer.text, '/a:feed/a:title')).toEqual(['Tax changes in Estonia']);
    expect(read(answer.text, '/a:feed/a:link[@rel="self"]/@href')).toEqual([
      '/v1/tax/changes.atom?country=EE&since=2025-01-01',
    ]);
  });

  it('is the same on another day and in another installation, with the same ids', async () => {
    const other = await makeTestApp({ startAt: '2026-12-24T10:00:00Z' });
    try {
      const { apiKey } = await other.makePsp();
      const asked = `${feed}?country=SK&since=2025-01-01`;
      const [here, there] = [await t.get(asked, client.apiKey), await other.get(asked, apiKey)];
      const without = (text: string) => text.replace(/<subtitle>.*<\/subtitle>/, '');
      expect(without(there.text)).toBe(without(here.text));
      const ids = read(here.text, '//a:id');
      expect(ids.length).toBeGreaterThan(5);
      // RFC 9562: version 5, variant 10.
      for (const id of ids)
        expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(new Set(ids).size).toBe(ids.length);
    } finally {
      await other.stop();
    }
  });

  it('keeps its own id and those of entries over other days, and has another one for another country', async () => {
    const idsFor = async (query: string) => read((await t.get(`${feed}?${query}`, client.apiKey)).text, '//a:id');
    const [long, short, other] = [
      await idsFor('country=EE&since=2024-01-01'),
      await idsFor('country=EE&since=2026-01-01'),
      await idsFor('country=SK&since=2024-01-01'),
    ];
    expect(long.length).toBeGreaterThan(short.length);
    expect(long).toEqual(expect.arrayContaining(short));
    expect(long.filter((id) => other.includes(id))).toEqual([]);
  });
});
