// PSPs take turns when call detail files are processed: a short file does not wait for another PSP's long one.
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CdrIntake } from '../../src/modules/telecom/index.ts';
import { Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { cdrRow, cdrText, dataDirOf, drop, status, tree } from '../support/cdr-files.ts';
import { connectMs } from '../support/database.ts';

const portion = 1_000;
const portions = 10;
/** The header is a line of the first portion. */
const rows = portions * portion - 1;
const longText = cdrText(...Array.from({ length: rows }, (_, i) => cdrRow(i)));
const isOfLong = (lines: number) => lines >= portion - 1;

let t: TestApp;
let pool: Pool;
beforeAll(async () => {
  t = await makeTestApp();
  pool = new Pool(t.database.url, { max: 2, log: makeLog('silent'), role: 'assay_app', connectMs });
});
afterAll(async () => {
  await pool?.end();
  await t?.stop();
});

const intake = (observe: (lines: number) => void, readingBytes?: number) =>
  new CdrIntake({
    services: t.app.services,
    pool,
    dataDir: dataDirOf(t),
    observe,
    ...(readingBytes === undefined ? {} : { readingBytes }),
  });
const clientOfItsOwn = async (): Promise<Account> => t.makeClient(await t.makePsp());
const state = (client: Account, name: string) => status(dataDirOf(t), client, name).state;
const recorded = async (client: Account) =>
  (await t.database.admin.query('SELECT count(*) AS n FROM cdrs WHERE account_id = $1', [client.uuid]))[0]?.n;

it('one-line files of twenty PSPs are completed while the long file of another PSP is still worked on', async () => {
  const long = await clientOfItsOwn();
  const short = await Promise.all(Array.from({ length: 20 }, clientOfItsOwn));
  const seen: number[] = [];
  const mine = intake((lines) => void seen.push(lines));
  // The long one is the oldest.
  drop(dataDirOf(t), long, 'long.csv', longText);
  expect(await mine.take({})).toBe(1);
  for (const c of short) drop(dataDirOf(t), c, 'short.csv', cdrText(cdrRow('short')));
  expect(await mine.take({})).toBe(20);
  await mine.work();
  expect(seen.filter((lines) => lines === 1)).toHaveLength(20);
  expect(seen.filter(isOfLong)).toHaveLength(portions);
  expect(seen.slice(0, seen.lastIndexOf(1)).filter(isOfLong).length).toBeLessThanOrEqual(portions / 2);
  expect([state(long, 'long.csv'), ...short.map((c) => state(c, 'short.csv'))]).toEqual(Array(21).fill('ACCEPTED'));
  expect(await recorded(long)).toBe(rows);
  expect(tree(dataDirOf(t), 'processing')).toEqual([]);
});

it('a file that arrives while a long one is worked on does not wait for its end, nor for many short ones of one PSP', async () => {
  const [long, many, late] = [await clientOfItsOwn(), await clientOfItsOwn(), await clientOfItsOwn()];
  const seen: number[] = [];
  let arrival: Promise<unknown> | undefined;
  const mine = intake((lines) => {
    seen.push(lines);
    if (seen.filter(isOfLong).length !== 2 || arrival) return;
    drop(dataDirOf(t), late, 'late.csv', cdrText(cdrRow(1), cdrRow(2)));
    arrival = mine.take({}).then(() => void mine.work());
  });
  drop(dataDirOf(t), long, 'long.csv', longText);
  await mine.take({});
  for (let i = 0; i < 40; i++) drop(dataDirOf(t), many, `${i}.csv`, cdrText(cdrRow(`many-${i}`)));
  await mine.take({});
  await mine.work();
  await arrival;
  expect([state(long, 'long.csv'), state(late, 'late.csv'), state(many, '39.csv')]).toEqual(Array(3).fill('ACCEPTED'));
  expect(seen.indexOf(2)).toBeLessThan(seen.lastIndexOf(portion));
  expect(seen.indexOf(2)).toBeLessThan(seen.lastIndexOf(1));
});

it('a file is read through once, however many turns it takes', async () => {
  const [long, short] = [await clientOfItsOwn(), await clientOfItsOwn()];
  let seen = 0;
  const mine = intake(() => {
    if (++seen > 1) return;
    // Whoever read it from its beginning again would have to refuse it.
    const [path] = tree(dataDirOf(t), 'processing').filter((p) => p.endsWith('long.csv'));
    writeFileSync(path as string, 'X', { flag: 'r+' });
  });
  drop(dataDirOf(t), long, 'long.csv', longText);
  await mine.take({});
  drop(dataDirOf(t), short, 'short.csv', cdrText(cdrRow('once')));
  await mine.pickUp();
  expect([state(long, 'long.csv'), state(short, 'short.csv')]).toEqual(['ACCEPTED', 'ACCEPTED']);
  expect(await recorded(long)).toBe(rows);
});

it('a short file does not wait until a long one of another PSP is read through for the first time', async () => {
  const [long, short] = [await clientOfItsOwn(), await clientOfItsOwn()];
  const mine = intake(() => undefined, 1_024);
  // Nothing of it is recorded: reading it through is all that is done about it.
  drop(dataDirOf(t), long, 'long.csv', longText.replace('cdr_id', 'no_id'));
  await mine.take({});
  drop(dataDirOf(t), short, 'short.csv', cdrText(cdrRow('between')));
  await mine.pickUp();
  expect([state(long, 'long.csv'), state(short, 'short.csv')]).toEqual(['REJECTED', 'ACCEPTED']);
  const completed = await t.database.admin.query(
    `SELECT account_id FROM journal WHERE kind = 'cdr.file_completed' AND account_id = ANY ($1::uuid[]) ORDER BY id`,
    [[long.uuid, short.uuid]],
  );
  expect(completed.map((r) => r.account_id)).toEqual([short.uuid, long.uuid]);
});

it('a file of which a hundred lines are too much for the database at once is recorded whole, in smaller portions', async () => {
  const client = await clientOfItsOwn();
  await t.database.admin.query(`CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM added) >= 100
    THEN RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = '57014'; END IF;
    RETURN NULL; END $$`);
  await t.database.admin.query(`CREATE TRIGGER break_off AFTER INSERT ON cdrs
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION break_off()`);
  const seen: number[] = [];
  drop(dataDirOf(t), client, 'heavy.csv', cdrText(...Array.from({ length: 250 }, (_, i) => cdrRow(i))));
  await intake((lines) => void seen.push(lines)).pickUp();
  await t.database.admin.query('DROP TRIGGER break_off ON cdrs');
  expect([state(client, 'heavy.csv'), await recorded(client)]).toEqual(['ACCEPTED', 250]);
  // The first portion of a hundred lines has the header in it.
  expect(Math.max(...seen)).toBe(99);
});
