// The analysis of call detail records when PostgreSQL cancels its statements: a portion that takes too long as a whole
// is analysed in small pieces, and one that always takes too long does not delay the rest of its PSP's journal.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { analysedKinds, analyseEntries } from '../../src/modules/telecom/analysis/analyse-entries.ts';
import { analysisName, analysisProgress, forgetAnalyses } from '../../src/modules/telecom/index.ts';
import { loadNumberRanges } from '../../src/platform/data-files.ts';
import { JournalReader } from '../../src/platform/journal-reader.ts';
import { countryOfNumber } from '../../src/platform/number-countries.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { analysed, everything, wrongTotals } from '../support/cdr-analysis.ts';
import { cdrRow, cdrText, dataDirOf, drop } from '../support/cdr-files.ts';

let t: TestApp;
let psp: Account;
let client: Account;
beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp('Operators', 'KE');
  client = await t.makeClient(psp, { countryCode: 'KE' });
  for (const part of [0, 1, 2]) {
    const rows = Array.from({ length: 300 }, (_, i) => cdrRow(part * 300 + i));
    drop(dataDirOf(t), client, `${part}.csv`, cdrText(...rows));
    t.advance(1_000);
    await t.app.services.cdrIntake.pickUp();
  }
  await analysed(t, psp);
});
afterAll(() => t.stop());

/** What PostgreSQL breaks off, as it breaks off a statement that is past its time. */
async function breakOff(when: string): Promise<void> {
  await t.database.admin.query(`CREATE OR REPLACE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF ${when} THEN RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = '57014'; END IF;
    RETURN NULL; END $$`);
  await t.database.admin.query(`CREATE OR REPLACE TRIGGER break_off AFTER INSERT ON cdr_analyses
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION break_off()`);
}

/** Everything analysed from the beginning, by a reader with short pauses beside the service's own. */
async function again(done: () => Promise<boolean>): Promise<void> {
  const ranges = loadNumberRanges();
  const context = {
    services: t.app.services,
    numbering: { countryOf: countryOfNumber, ranges },
    ranges: ranges.version,
  };
  await forgetAnalyses(t.app.services.db, psp.uuid);
  const reader = new JournalReader({
    name: analysisName,
    kinds: analysedKinds,
    pool: t.app.services.db,
    log: t.app.services.log,
    everyMs: 5,
    read: (tx, of, entries, small) => analyseEntries(context, tx, of, entries, small),
  });
  reader.start();
  await until('the analysis is at its end', done, 200_000);
  await reader.stop();
}

it('a portion of which a hundred records are too much at once is analysed whole, in small pieces', async () => {
  const before = await everything(t.database);
  await breakOff('(SELECT count(*) FROM added) > 100');
  await again(async () => (await analysisProgress(t.database.admin, psp.uuid)).complete);
  expect(await everything(t.database)).toEqual(before);
  expect(await wrongTotals(t.database)).toEqual([]);
});

it('a record that takes too long in any piece is set aside with its portion, shown, and the others are analysed', async () => {
  const [bad] = await t.database.admin.query("SELECT id FROM cdrs WHERE cdr_id LIKE '%450'");
  await breakOff(`EXISTS (SELECT FROM added WHERE cdr_id = '${bad?.id}')`);
  await again(async () => {
    const { setAside, read, entries } = await analysisProgress(t.database.admin, psp.uuid);
    return setAside === 1 && read === entries;
  });
  expect(await analysisProgress(t.database.admin, psp.uuid)).toMatchObject({ setAside: 1, complete: false });
  const [rows] = await t.database.admin.query('SELECT count(*) AS n FROM cdr_analyses');
  expect(rows?.n).toBe(600);
  expect(await wrongTotals(t.database)).toEqual([]);
  expect(await (await fetch(`${t.address}/metrics`)).text()).toContain(
    'assay_journal_reader_set_aside{reader="cdr-analysis"} 1\n',
  );
  // The file's other portions are told of as analysed; the client sees that records are missing from the figures.
  const seen = await t.get('/v1/telecom/analysis', client.apiKey);
  expect(seen.text).toContain('"complete":false');
});
