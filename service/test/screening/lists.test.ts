// Lists over HTTP: loaded once, dated, changed and shrunk; own lists and their entries; who sees which; searched.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, refusesWrongTypes, requiresFields, type Wire } from '../support/guarantees.ts';
import { expectJournalComplete } from '../support/journal.ts';

let t: TestApp;
let operator: Account;
let psp: Account;
let other: Account;
let client: Account;

beforeAll(async () => {
  t = await makeTestApp();
  operator = await t.makeOperator();
  psp = await t.makePsp();
  other = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t.stop());

const un = (...names: string[]) =>
  `<CONSOLIDATED_LIST dateGenerated="2026-11-24T23:00:04Z"><INDIVIDUALS>${names
    .map(
      (name, i) =>
        `<INDIVIDUAL><DATAID>${i}</DATAID><REFERENCE_NUMBER>QDi.${i}</REFERENCE_NUMBER><FIRST_NAME>${name}</FIRST_NAME></INDIVIDUAL>`,
    )
    .join('')}</INDIVIDUALS></CONSOLIDATED_LIST>`;
const load = (body: object, by = operator) => t.post('/v1/lists', body, by.apiKey);
const loaded = async (body: object, by = operator) => contentOf(await load(body, by));
const lists = async (by = psp) => contentOf(await t.get('/v1/lists', by.apiKey)).items;
const search = async (body: object, by = psp) =>
  contentOf(await t.post('/v1/lists/search', body, by.apiKey)).items as { list: string; score: number }[];
const found = async (name: string, by = psp) => (await search({ name }, by)).map((m) => m.list);
const own = (list: string, body: object, by = psp) => t.post(`/v1/lists/${list}/entries`, body, by.apiKey);

describe('loadList', () => {
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    path: '/v1/lists',
    caller: () => operator,
    body: () => ({ name: 'consolidated.xml', text: un('Adam Nowhere') }),
  };
  requiresFields(wire, ['name', 'text']);
  refusesWrongTypes(wire, { text: ['name', 'text', 'list'], boolean: ['allowShrink'] });

  it('stores a published list once, for all PSPs, with its hash and day', async () => {
    const file = { name: 'consolidated.xml', text: un('Boris Madeupov', 'Vera Invented', 'Hassan Al Fictitious') };
    const first = await loaded(file);
    expect(first).toMatchObject({
      ...{ list: 'UN', purpose: 'SANCTIONS', shared: true, form: 'UN_XML', published: '2026-11-24', threshold: null },
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      loadIds: [expect.stringMatching(/^lsl_/)],
    });
    expect(await loaded(file)).toMatchObject({ loadIds: [], added: 0, changed: 0, removed: 0 });
    expect(await lists()).toMatchObject([
      { list: 'UN', shared: true, entries: 3, threshold: 85, complete: true, loadId: first.loadIds[0] },
    ]);
    for (const by of [psp, other, operator]) expect(await found('Boris Madeupov', by)).toEqual(['UN']);
  });

  it('takes over what changed and what is gone, and keeps the former entries', async () => {
    await loaded({ name: 'a.xml', text: un('First Person', 'Second Person', 'Third Person') });
    const done = await loaded({ name: 'b.xml', text: un('First Person', 'Other Human') });
    expect(done).toMatchObject({ added: 0, changed: 1, removed: 1, entries: 2 });
    expect(await found('Second Person')).toEqual([]);
    expect(await found('Other Human')).toEqual(['UN']);
    const rows = await t.database.admin.query(
      "SELECT revision, removed FROM list_entries WHERE list = 'UN' AND ref = 'QDi.2' ORDER BY revision",
    );
    expect(rows.at(-1)).toMatchObject({ removed: true });
    await loaded({ name: 'a.xml', text: un('First Person', 'Second Person', 'Third Person') });
    expect(await found('Third Person')).toEqual(['UN']);
  });

  it('refuses a file with fewer than half of the entries, unless it is said to be complete', async () => {
    const many = Array.from({ length: 40 }, (_, i) => `Number${i} Listed${i}`);
    await loaded({ name: 'many.xml', text: un(...many) });
    const few = { name: 'few.xml', text: un('Number0 Listed0') };
    expectRefusal(await load(few), 400, 'LIST_INVALID');
    expect(await loaded({ ...few, allowShrink: true })).toMatchObject({ removed: 39, entries: 1 });
  });

  it('stores a large list in parts', async () => {
    const rows = Array.from({ length: 4500 }, (_, i) => `P-${i},PERSON,Given${i} Family${i}`).join('\n');
    const done = await loaded({ name: 'pep.csv', list: 'PEP_XX', text: `Ref,Type,Name\n${rows}\n` });
    expect(done).toMatchObject({ purpose: 'PEP', added: 4500, entries: 4500 });
    expect(done.loadIds).toHaveLength(3);
    expect(await found('Given4499 Family4499')).toEqual(['PEP_XX']);
    expect((await lists()).find((l: { list: string }) => l.list === 'PEP_XX')).toMatchObject({
      ...{ entries: 4500, threshold: 85 },
    });
  });

  it('refuses a damaged file whole, with the place and the reason', async () => {
    const r = await load({ name: 'bad.csv', list: 'BAD', text: 'Ref,Type,Name\nA,PERSON,Adam\nB,ROBOT,Eve\n' });
    expectRefusal(r, 400, 'LIST_INVALID');
    expect(r.text).toContain("the file bad.csv was refused, nothing of it is loaded: line 3: the type 'ROBOT'");
    expect((await lists()).map((l: { list: string }) => l.list)).not.toContain('BAD');
    expectRefusal(await load({ name: 'x.csv', text: 'Ref,Type,Name\nA,PERSON,Adam\n' }), 400, 'FIELD_INVALID');
  });

  it('is refused to a client', async () =>
    expectRefusal(await load({ name: 'a', text: un('A B') }, client), 403, 'AUDIENCE'));
});

describe("a PSP's own list", () => {
  it('is searched by that PSP alone, and kept sealed', async () => {
    const text = 'Ref,Type,Name,Keys\nB-1,PERSON,Zacharias Quibbleton,ip:198.51.100.0/24\n';
    await loaded({ name: 'own.csv', list: 'OWN_BLOCK', text }, psp);
    expect(await found('Zakharias Quibbelton')).toEqual(['OWN_BLOCK']);
    expect(await found('Zacharias Quibbleton', other)).toEqual([]);
    expect(await found('Zacharias Quibbleton', operator)).toEqual([]);
    expect((await lists(other)).map((l: { list: string }) => l.list)).not.toContain('OWN_BLOCK');
    expectRefusal(await t.get('/v1/lists/OWN_BLOCK/entries', other.apiKey), 404, 'NOT_FOUND');
    const raw = JSON.stringify(await t.database.admin.query("SELECT * FROM list_entries WHERE list = 'OWN_BLOCK'"));
    expect(raw).not.toContain('Quibbleton');
    const journal = JSON.stringify(await t.database.admin.query("SELECT body FROM journal WHERE kind = 'list.loaded'"));
    expect(journal).not.toContain('Quibbleton');
  });

  it('takes single entries, replaces and removes them, each once', async () => {
    const entry = { ref: 'B-7', names: ['Mortimer Scallywag'], countryCodes: ['NGA'], births: ['1980-02'] };
    const put = contentOf(await own('OWN_PERSONS', entry));
    expect(put).toMatchObject({ list: 'OWN_PERSONS', ref: 'B-7', kind: 'PERSON', countries: ['NG'], revision: 1 });
    expect(contentOf(await own('OWN_PERSONS', entry))).toEqual(put);
    expect(await found('Scallywag Mortimer')).toEqual(['OWN_PERSONS']);
    expect(contentOf(await own('OWN_PERSONS', { ...entry, names: ['Gilbert Rapscallion'] }))).toMatchObject({
      revision: 2,
    });
    expect(await found('Scallywag Mortimer')).toEqual([]);
    const page = contentOf(await t.get('/v1/lists/OWN_PERSONS/entries', psp.apiKey));
    expect(page).toMatchObject({ items: [{ ref: 'B-7', names: [{ name: 'Gilbert Rapscallion' }] }], nextCursor: null });
    const remove = (ref = 'B-7') => t.post('/v1/lists/OWN_PERSONS/remove', { ref }, psp.apiKey);
    expect(contentOf(await remove())).toMatchObject({ revision: 3 });
    expect(contentOf(await remove())).toMatchObject({ revision: 3 });
    expect(await found('Gilbert Rapscallion')).toEqual([]);
    expectRefusal(await remove('B-9'), 404, 'NOT_FOUND');
  });

  it('refuses entries without a name or key, of a network that is none, and changes of published lists', async () => {
    expectRefusal(await own('OWN_PERSONS', { ref: 'X' }), 400, 'FIELD_INVALID');
    expectRefusal(await own('OWN_PERSONS', { ref: 'a/b', names: ['A'] }), 400, 'FIELD_INVALID');
    expectRefusal(await own('lower', { ref: 'X', names: ['A B'] }), 400, 'FIELD_INVALID');
    const network = { ref: 'X', keys: [{ kind: 'ip', value: '300.1.1.1' }] };
    expectRefusal(await own('OWN_PERSONS', network), 400, 'FIELD_INVALID');
    expectRefusal(await own('UN', { ref: 'X', names: ['A B'] }, operator), 409, 'STATE_CONFLICT');
    expectRefusal(await own('OWN_PERSONS', { ref: 'X', names: ['A B'], purpose: 'ALLOW' }), 409, 'STATE_CONFLICT');
  });
});

describe('a key', () => {
  it.each([
    ['ip', '300.1.1.1', 'an ip that is neither an address nor a network'],
    ['ip', '10.0.0.0/40', 'an ip that is neither an address nor a network'],
    ['msisdn', '08030000009', 'an msisdn that is no number with its country code'],
    ['msisdn', 'unknown', 'an msisdn that is no number with its country code'],
    ['mcc', '79955', 'an mcc that is not four digits'],
    ['country', 'Nigeria', 'a country that is no code of two letters'],
    ['country', 'NGA', 'a country that is no code of two letters'],
    ['country', 'QQ', 'a country that is no code of two letters'],
  ])('%s:%s is refused, since no record has it', async (kind, value, fault) => {
    const put = await own('OWN_KEYS', { ref: 'X', keys: [{ kind, value }] });
    expectRefusal(put, 400, 'FIELD_INVALID', new RegExp(`^the field 'keys' has ${fault}$`));
    const text = `Ref,Type,Name,Keys\nA,PERSON,Somebody Sound,\nX,KEY,,${kind}:${value}\n`;
    const loaded = await t.post('/v1/lists', { name: 'keys.csv', text, list: 'OWN_KEYS' }, psp.apiKey);
    expectRefusal(loaded, 400, 'LIST_INVALID', new RegExp(`the entry X has ${fault}$`));
    expectRefusal(await t.get('/v1/lists/OWN_KEYS/entries', psp.apiKey), 404, 'NOT_FOUND');
  });
});

describe('searchLists', () => {
  it('finds exact values: wallets in any case where the network has none, addresses in listed networks', async () => {
    const keys = [
      { kind: 'wallet', value: '0x098B716B8Aaf21512996dC57EB0615e2383E2f96' },
      { kind: 'wallet', value: '12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h' },
      { kind: 'ip', value: '203.0.113.64/26' },
      { kind: 'ip', value: '2001:db8::/32' },
      { kind: 'msisdn', value: '+234 803 000 0009' },
      { kind: 'mcc', value: '7995' },
    ];
    contentOf(await own('OWN_KEYS', { ref: 'K', keys }));
    const by = async (kind: string, value: string) => (await search({ kind, value })).length;
    expect(await by('wallet', '0x098b716b8aaf21512996dc57eb0615e2383e2f96')).toBe(1);
    expect(await by('wallet', '12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h')).toBe(1);
    expect(await by('wallet', '12qtd5bfwrsdnsazy76uve1xycgntojh9h')).toBe(0);
    expect([await by('ip', '203.0.113.100'), await by('ip', '203.0.113.10')]).toEqual([1, 0]);
    expect([await by('ip', '2001:db8:1::5'), await by('ip', '2001:db9::5')]).toEqual([1, 0]);
    expect([await by('msisdn', '2348030000009'), await by('msisdn', '2348030000008')]).toEqual([1, 0]);
    const { lists } = t.app.services;
    expect([...lists.listed(psp.uuid, 'mcc', '7995')]).toEqual(['OWN_KEYS']);
    expect([...lists.listed(other.uuid, 'mcc', '7995')]).toEqual([]);
  });

  it('says what each field adds', async () => {
    const entry = { ref: 'D', names: ['Demetrius Outlandish'], births: ['1970-05-12'], countryCodes: ['RU'] };
    contentOf(await own('OWN_DATED', entry));
    const of = async (more: object) => (await search({ name: 'Dimitrios Outlandish', threshold: 50, ...more }))[0];
    const plain = await of({});
    expect(plain).toMatchObject({ list: 'OWN_DATED', fields: [{ field: 'name', pairs: [{}, {}] }] });
    const same = await of({ born: '1970', countryCode: 'RUS' });
    expect(same).toMatchObject({ fields: [{}, { field: 'born', score: 5 }, { field: 'country', score: 2 }] });
    expect((await of({ born: '1950-01-01' }))?.score).toBe((plain?.score as number) - 15);
  });

  it('needs a name or a value, and a country that exists', async () => {
    const refused = (body: object) => t.post('/v1/lists/search', body, psp.apiKey);
    expectRefusal(await refused({}), 400, 'FIELD_INVALID');
    expectRefusal(await refused({ kind: 'ip' }), 400, 'FIELD_INVALID');
    expectRefusal(await refused({ name: 'A', born: '1970-99' }), 400, 'FIELD_INVALID');
    expectRefusal(await refused({ name: 'A', countryCode: 'QQ' }), 400, 'UNKNOWN_COUNTRY');
    expectRefusal(await t.post('/v1/lists/search', { name: 'A' }, client.apiKey), 403, 'AUDIENCE');
  });
});

describe('lists', () => {
  it('have an entry in the journal for each load', () => expectJournalComplete(t));

  it('reach other processes', async () => {
    const { lists } = t.app.services;
    await lists.readNames();
    const { Lists } = await import('../../src/modules/screening/index.ts');
    const beside = new Lists(t.app.services.db, t.app.services.vault, t.app.services.subjects);
    await beside.refresh();
    contentOf(await own('OWN_LATE', { ref: 'L', names: ['Late Newcomer'], keys: [{ kind: 'mcc', value: '0001' }] }));
    expect(beside.listed(psp.uuid, 'mcc', '0001')).toEqual([]);
    await beside.refresh();
    expect(beside.listed(psp.uuid, 'mcc', '0001')).toEqual(['OWN_LATE']);
    expect((await beside.search(psp.uuid, { name: 'Late Newcomer' })).map((m) => m.list)).toEqual(['OWN_LATE']);
  });
});
