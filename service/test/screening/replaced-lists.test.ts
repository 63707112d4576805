// A list that is replaced, and replaced again while the first change is still followed: the matches that are open are those
// that the file in force names, each once. What is expected comes from the rows of the file, not from the service.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { readersAtEnd } from '../support/journal.ts';

let t: TestApp;
let operator: Account;
let psp: Account;

beforeAll(async () => {
  t = await makeTestApp();
  operator = await t.makeOperator();
  psp = await t.makePsp();
});
afterAll(() => t.stop());

const consonants = 'bcdfghjklmnprstvwz';
/** The same for the same numbers, and near to no other. */
const word = (n: number) =>
  [0, 1, 2, 3].map((i) => `${consonants[(n >> (4 * i)) % 16]}${'aeiou'[(n >> (3 * i)) % 5]}`).join('');
const nameOf = (n: number) => [7919, 104_729, 611_953].map((k) => word((n + 1) * k)).join(' ');

const list = 'BLOCK_REPLACED';
/** Names of the file by their refs. */
const file = new Map<string, string>();
async function load() {
  const rows = [...file].map(([ref, name]) => `${ref},PERSON,${name}`).join('\n');
  return contentOf(
    await t.post('/v1/lists', { name: 'replaced.csv', list, text: `Ref,Type,Name\n${rows}\n` }, operator.apiKey),
  );
}

/** The matches of the list that are open, as the ref and the name that was compared. */
async function open(): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `list=${list}&state=OPEN&limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page = contentOf(await t.get(`/v1/list-matches?${query}`, psp.apiKey));
    found.push(...page.items.map((m: { ref: string; asked: string }) => `${m.ref} ${m.asked}`));
    cursor = page.nextCursor;
  }
  return found.sort();
}

it('has just the matches of the entries in force, for clients and customers, after each change', async () => {
  for (let i = 0; i < 1000; i++) file.set(`P-${i}`, nameOf(i));
  await load();
  // 30 whose names are listed, and 10 whose names come later.
  const numbers = [...Array.from({ length: 30 }, (_, i) => i), ...Array.from({ length: 10 }, (_, i) => 1000 + i)];
  const clients = new Set(numbers.map(nameOf));
  const customers = new Set(numbers.map((n) => nameOf(n + 100)));
  const accounts: Account[] = [];
  for (const registeredName of clients) accounts.push(await t.makeClient(psp, { registeredName }));
  const deposit = operations.find((o) => o.id === 'deposit');
  let n = 0;
  for (const name of customers) {
    const body = { ...(deposit?.example as object), ref: `c${n++}`, customer: { email: `c${n}@example.com`, name } };
    contentOf(await t.post(deposit?.path as string, body, (accounts[n % 10] as Account).apiKey));
  }
  await readersAtEnd(t, ['screening']);
  const named = () =>
    [...file].flatMap(([ref, name]) => (clients.has(name) || customers.has(name) ? [`${ref} ${name}`] : [])).sort();
  const expectMatches = () => expect.poll(open, { timeout: 60_000, interval: 250 }).toEqual(named());
  expect(named()).toHaveLength(60);
  await expectMatches();

  // A client's and a customer's: others have their entries now, some are gone, some are new.
  const change = (from: number) => {
    for (const first of [from, from + 100]) {
      for (let i = first; i < first + 5; i++) file.set(`P-${i}`, nameOf(i + 5000));
      for (let i = first + 5; i < first + 10; i++) file.delete(`P-${i}`);
      for (let i = first; i < first + 5; i++) file.set(`P-${i + 1000}`, nameOf(i + 1000));
    }
  };
  change(0);
  expect(await load()).toMatchObject({ added: 10, changed: 10, removed: 10 });
  await expectMatches();

  change(10);
  await load();
  for (const i of [5, 6, 105, 106]) file.set(`P-${i}`, nameOf(i));
  for (const i of [1000, 1100]) file.delete(`P-${i}`);
  await load();
  await expectMatches();
  expect(await load()).toMatchObject({ loadIds: [], added: 0, changed: 0, removed: 0 });
});
