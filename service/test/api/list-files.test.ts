// A list as a CSV file (0156): all rows that its filters find, exactly what the JSON shows to the same caller, as text
// that no spreadsheet runs, with a last line that vouches for its end.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvColumns, headingOf } from '../../src/adapters/http/csv-columns.ts';
import { columnsForPeople, headingsForPeople } from '../../src/adapters/http/csv-for-people.ts';
import { rowsOf } from '../../src/adapters/http/list-files.ts';
import { operations } from '../../src/adapters/http/operations.ts';
import { methodsOfContract } from '../../src/core/payments.ts';
import { frenchHeadings } from '../../src/platform/words.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
let shop: Account;
let other: Account;
const csv = { accept: 'text/csv' };
const sales = 230;

const sale = async (ref: string, totalAmount: number | string, key: string) =>
  contentOf(
    await t.post(
      '/v1/transaction/verifyTransaction',
      `{"ref":${JSON.stringify(ref)},"totalAmount":${totalAmount},"currency":"NGN","countryCode":"NG","paymentMethods":{"card":${totalAmount}},"transactionFee":0}`,
      key,
    ),
  );

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  [shop, other] = await Promise.all([t.makeClient(psp), t.makeClient(psp)]);
  for (let from = 0; from < sales; from += 46)
    await Promise.all(Array.from({ length: 46 }, (_, i) => sale(`order-${from + i}`, 100 + from + i, shop.apiKey)));
  await sale('=HYPERLINK("https://evil.example")', '123456789012345.67', other.apiKey);
});
afterAll(() => t.stop());

/** RFC 4180, written anew for the test; a file in French has semicolons. */
function parse(text: string, separator = ','): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string;
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === separator) {
      rows.at(-1)?.push(cell);
      cell = '';
    } else if (c === '\r' && text[i + 1] === '\n') {
      rows.at(-1)?.push(cell);
      rows.push([]);
      cell = '';
      i++;
    } else cell += c;
  }
  expect(rows.pop()).toEqual([]);
  return rows;
}

async function file(path: string, key: string, headers: Record<string, string> = {}) {
  const r = await t.get(path, key, { ...csv, ...headers });
  expect(r.status, r.text).toBe(200);
  const [head = [], ...rest] = parse(r.text);
  const rows = rest.slice(0, -1);
  const column = (heading: string) => {
    const at = head.indexOf(heading);
    expect(at, heading).toBeGreaterThanOrEqual(0);
    return rows.map((row) => row[at] as string);
  };
  return { r, head, rows, column, last: rest.at(-1) as string[] };
}

async function allItems(path: string, key: string) {
  const items: Record<string, unknown>[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = contentOf(await t.get(`${path}${cursor && `&cursor=${cursor}`}`, key));
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

describe('a list as CSV', () => {
  it('has all rows of all pages, in the order and with the values of the JSON', async () => {
    const { r, head, column, rows } = await file('/v1/transaction', psp.apiKey);
    expect(r.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(r.headers.get('content-disposition')).toBe('attachment; filename="transactions-2026-11-21.csv"');
    expect(r.headers.get('cache-control')).toBe('no-store');
    const items = await allItems('/v1/transaction?limit=200', psp.apiKey);
    expect(items.length).toBe(sales + 1);
    expect(column('Transaction id')).toEqual(items.map((i) => i.transactionId));
    expect(column('Client id')).toEqual(items.map((i) => i.clientId));
    expect(column('Status')).toEqual(items.map((i) => i.status));
    expect(rows.every((row) => row.length === head.length)).toBe(true);
  });

  it('writes amounts with all their digits, and text that no spreadsheet runs as a formula', async () => {
    const { column } = await file('/v1/transaction', other.apiKey);
    expect(column('Total amount')).toEqual(['123456789012345.67']);
    expect(column('Ref')).toEqual(['\'=HYPERLINK("https://evil.example")']);
    expect(column('Payment methods')).toEqual(['card: 123456789012345.67']);
  });

  it('ends with a line that says how many rows there are and when they were read', async () => {
    const { last, head } = await file('/v1/transaction?amountFrom=110&amountTo=119', psp.apiKey);
    expect(last[0]).toBe('End of the list: 10 rows, read from 2026-11-21T10:00:00.000Z to 2026-11-21T10:00:00.000Z');
    expect(last.length).toBe(head.length);
    const none = await file('/v1/transaction?ref=no-such-ref', psp.apiKey);
    expect([none.rows, none.last[0]]).toEqual([[], expect.stringMatching(/^End of the list: 0 rows, /)]);
  });

  it('knows the same filters and scopes as the JSON: nothing of another client or PSP', async () => {
    const mine = await file('/v1/transaction', shop.apiKey);
    expect(new Set(mine.column('Client id'))).toEqual(new Set([shop.id]));
    const narrowed = await file('/v1/transaction', psp.apiKey, { 'x-client-id': other.id });
    expect(narrowed.rows.length).toBe(1);
    const stranger = await t.makePsp();
    expect((await file('/v1/transaction', stranger.apiKey)).rows).toEqual([]);
    const narrow = contentOf(await t.post('/v1/key', { name: 'keys only', scopes: ['administration'] }, psp.apiKey));
    expectRefusal(await t.get('/v1/transaction', narrow.apiKey, csv), 403, 'SCOPE');
  });

  it('refuses what the JSON refuses, and a limit, before the first byte', async () => {
    expectRefusal(await t.get('/v1/transaction', undefined, csv), 401, 'KEY_MISSING');
    expectRefusal(await t.get('/v1/transaction?statu=DECLINED', psp.apiKey, csv), 400, 'QUERY_INVALID');
    expectRefusal(await t.get('/v1/transaction?cursor=txn_1', psp.apiKey, csv), 400, 'QUERY_INVALID');
    expectRefusal(await t.get('/v1/transaction?limit=10', psp.apiKey, csv), 400, 'QUERY_INVALID', /all rows/);
  });

  it('goes on after a cursor, without repeating a row', async () => {
    const whole = await file('/v1/transaction', psp.apiKey);
    const ids = whole.column('Transaction id');
    const rest = await file(`/v1/transaction?cursor=${ids[99]}`, psp.apiKey);
    expect(rest.column('Transaction id')).toEqual(ids.slice(100));
  });

  it('shows personal data as the JSON does: the same telephone numbers, and none of a person who was erased', async () => {
    const call = {
      cdr_id: 'CDR-1',
      caller_number: '+2348031234567',
      receiver_number: '+2348059876543',
      call_start_time: '2026-11-21T09:50:00Z',
      call_end_time: '2026-11-21T09:52:00Z',
      call_duration_seconds: 120,
      call_type: 'VOICE',
      network_provider: 'MTN Nigeria',
      billing_information: { call_cost: 24.5, currency: 'NGN' },
    };
    contentOf(await t.post('/v1/telecom/recordCDR', call, shop.apiKey));
    const [item] = contentOf(await t.get('/v1/telecom/cdr', shop.apiKey)).items;
    const { column } = await file('/v1/telecom/cdr', shop.apiKey);
    // A plus sign begins a formula, so that the number is marked as text.
    expect(column('Record caller number')).toEqual([`'${item.record.caller_number}`]);
    expect(column('Record receiver number')).toEqual([`'${item.record.receiver_number}`]);
    const subjects = [`phone:${call.caller_number}`];
    contentOf(await t.post('/v1/subject/erase', { subjects, reason: 'asked for it' }, psp.apiKey));
    const after = await file('/v1/telecom/cdr', shop.apiKey);
    expect(after.column('Record caller number')).toEqual(['erased']);
    expect(after.r.text).not.toContain(call.caller_number);
  });

  it('is for people in their language where they name one: headings, codes and figures, and the same rows', async () => {
    const asked = async (language: string) =>
      (
        await t.get('/v1/transaction?amountFrom=110&amountTo=111', psp.apiKey, {
          accept: `text/csv; language=${language}`,
        })
      ).text;
    const [head = [], ...rows] = parse((await asked('fr')).replace('\ufeff', ''), ';');
    const total = head.indexOf('Montant total');
    // They were made at once, so that their order is anybody's.
    const lines = rows.slice(0, -1).sort((a, b) => ((a[total] ?? '') < (b[total] ?? '') ? 1 : -1));
    const at = (heading: string) => lines.map((row) => row[head.indexOf(heading)]);
    expect(at('Identifiant de la transaction')).toHaveLength(2);
    expect([at('Montant total'), at('Statut'), at('Type')]).toEqual([
      ['111,00', '110,00'],
      ['Approuvée', 'Approuvée'],
      ['Vente', 'Vente'],
    ]);
    expect([at('Pays'), at('Client'), at('Identifiant du client'), at('Enregistré par')]).toEqual(
      ['Nigeria', 'Lagos Books Ltd', shop.id, 'Lagos Books Ltd'].map((text) => [text, text]),
    );
    expect(at('Moyens de paiement')).toEqual(['Carte\u00a0: 111,00', 'Carte\u00a0: 110,00']);
    expect(at('Taxe')).toEqual(['7,74', '7,67']);
    expect(rows.at(-1)?.[0]).toMatch(/^Fin de la liste\u00a0: 2 lignes, lues du /);
    const [english = [], ...those] = parse((await asked('en')).replace('\ufeff', ''));
    const first = those.find((row) => row[english.indexOf('Total amount')] === '111.00') ?? [];
    expect(['Status', 'Type', 'Tax', 'Country', 'Client'].map((h) => first[english.indexOf(h)])).toEqual([
      ...['Approved', 'Sale', '7.74', 'Nigeria', 'Lagos Books Ltd'],
    ]);
    // Who names no language reads codes, also where sentences are asked for in French.
    const plain = await file('/v1/transaction?amountFrom=110&amountTo=111', psp.apiKey, { 'accept-language': 'fr' });
    expect(plain.column('Status')).toEqual(['APPROVED', 'APPROVED']);
    expect([plain.column('Country code'), plain.column('Total amount')]).toEqual([
      ['NG', 'NG'],
      expect.arrayContaining(['111', '110']),
    ]);
    expect(plain.head).not.toContain('Client');
    expect(await asked('de')).toBe(plain.r.text);
  });

  it('has French for each heading of each list, and none that no list has', () => {
    const headings = operations.flatMap((o) => headingsForPeople(rowsOf(o) ?? {}));
    const methods = methodsOfContract.map((m) => headingOf([m]));
    expect(new Set([...headings, ...methods])).toEqual(new Set(frenchHeadings().keys()));
  });

  it('is of a statement its postings, each with its client, country and currency, in words for people', async () => {
    await totalled(t);
    const days = 'dayFrom=2026-11-01&dayTo=2026-11-30';
    const { r, head, rows, last } = await file(`/v1/settlement/statement?${days}&clientId=${shop.id}`, psp.apiKey);
    expect(r.headers.get('content-disposition')).toBe('attachment; filename="statement-2026-11-21.csv"');
    expect(head).toEqual(['Client id', 'Country code', 'Time zone', 'Currency', 'Kind', 'Account', 'Debit', 'Credit']);
    const { items } = contentOf(await t.get(`/v1/settlement/statement?${days}&clientId=${shop.id}`, psp.apiKey));
    expect(rows.map((row) => row.slice(4, 8))).toEqual(
      items[0].postings.map((p: { kind: string; account: string; debit: number; credit: number }) => [
        ...[p.kind, p.account, String(p.debit), String(p.credit)],
      ]),
    );
    expect(last[0]).toMatch(/^End of the list: \d+ rows/);
    const french = (await t.get(`/v1/settlement/statement?${days}`, psp.apiKey, { accept: 'text/csv; language=fr' }))
      .text;
    const [titles = [], first = []] = parse(french.replace('\ufeff', ''), ';');
    const of = (title: string) => first[titles.indexOf(title)];
    expect(['Client', 'Pays', 'Compte'].map(of)).toEqual(['Lagos Books Ltd', 'Nigeria', 'Clients finaux']);
    expect(of('Débit')).toMatch(/^\d+,\d\d$/);
  });

  it('names the account of each row to staff who read over all PSPs', async () => {
    const staff = await t.makeOperator();
    const mail = `${Date.now()}@example.com`;
    const made = await t.post(
      '/v1/admin/user',
      { accountId: psp.id, email: mail, name: 'Ada', role: 'auditor' },
      staff.apiKey,
    );
    expect(made.status, made.text).toBe(200);
    const text = (await t.get('/v1/admin/user', staff.apiKey, { accept: 'text/csv; language=en' })).text;
    const [head = [], ...rows] = parse(text.replace('\ufeff', ''));
    const of = rows.find((row) => row[head.indexOf('Account id')] === psp.id);
    expect(of?.[head.indexOf('Account')]).toBe('Test PSP');
  });

  it('is JSON for everybody who asks for JSON, or for anything', async () => {
    for (const accept of ['application/json', '*/*', 'application/json, text/csv'])
      expect((await t.get('/v1/transaction', shop.apiKey, { accept })).body.success).toBe(true);
  });
});

describe('every list', () => {
  const lists = operations.filter((o) => rowsOf(o) !== undefined);

  it.each([csvColumns, columnsForPeople])(
    'has a column for each field, and no two with the same heading',
    (columns) => {
      expect(lists.length).toBeGreaterThan(40);
      for (const o of lists) {
        const all = columns(rowsOf(o) ?? {}).map((c) => c.heading);
        expect(all.length, o.id).toBeGreaterThan(0);
        expect([...new Set(all)], o.id).toEqual(all);
      }
    },
  );

  it('has headings in words', () => {
    expect(headingOf(['countryCode'])).toBe('Country code');
    expect(headingOf(['chargeback', 'reversedAt'])).toBe('Chargeback reversed at');
    expect(headingOf(['call_start_time'])).toBe('Call start time');
    const odd = lists.flatMap((o) =>
      csvColumns(rowsOf(o) ?? {})
        .map((c) => c.heading)
        .filter((h) => !/^[A-Z][a-zA-Z\d -]*$/.test(h) || /[a-z][A-Z]/.test(h)),
    );
    expect(odd).toEqual([]);
  });
});
