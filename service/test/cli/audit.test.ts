// assay verify-receipt and assay audit: their results for a person with a file and a key, and for one with the
// database.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { makeFolder } from '../support/folder.ts';
import { assayWith, type Ran } from './run.ts';
import { makeWorld, order, type World } from './world.ts';

let w: World;
let psp: { pspId: string; apiKey: string };
let folder: string;
let key: string;
// biome-ignore lint/suspicious/noExplicitAny: read as the wire gives it
let answer: any;
/** No database, no service, no data folder. */
const offline = assayWith({ DATA_DIR: '/nowhere', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const verify = (path: string, ...more: string[]): Promise<Ran> =>
  offline('verify-receipt', path, '--key', key, ...more);

beforeAll(async () => {
  w = await makeWorld();
  folder = makeFolder('assay-receipts-');
  psp = await w.makePsp('Sealed Pay');
  const made = await w.call('/v1/transaction/verifyTransaction', psp.apiKey, order('sealed-1'));
  const id = made.body.content.transactionId;
  answer = await until('it is sealed', async () => {
    const r = await w.call(`/v1/audit/receipt/${id}`, psp.apiKey);
    return r.status === 200 && r.body;
  });
  key = (await w.call('/v1/audit/key', psp.apiKey)).body.content.key;
});
afterAll(async () => {
  await w.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('assay verify-receipt', () => {
  it('says what was sealed, from the file alone, without service or database', async () => {
    const r = await verify(file('answer.json', answer));
    expect([r.exitCode, r.stderr]).toEqual([0, '']);
    expect(r.stdout).toMatch(
      new RegExp(`^Valid: sealed in assay/${psp.pspId} under a checkpoint over \\d+ entries\\.\n`),
    );
    expect(r.stdout).toMatch(/transaction\.created +\S+ +sealed-1 +107\.5 NGN +APPROVED/);
    const json = (await verify(file('bare.json', answer.content), '--json')).json();
    expect(json).toMatchObject({
      valid: true,
      origin: `assay/${psp.pspId}`,
      entries: [answer.content.entries[0].entry],
    });
  });

  it('ends with 1 and says why where the receipt does not hold', async () => {
    const forged = structuredClone(answer);
    forged.content.entries[0].entry.body = forged.content.entries[0].entry.body.replace('107.5', '7.5');
    const r = await verify(file('forged.json', forged));
    expect([r.exitCode, r.stdout]).toEqual([1, '']);
    expect(r.stderr).toMatch(
      /^assay: not valid: entry \d+ is not what was sealed: the entry or its proof was altered\n$/,
    );
    const json = await verify(file('forged.json', forged), '--json');
    expect([json.exitCode, json.json()]).toEqual([1, { valid: false, code: 'PROOF', message: expect.any(String) }]);
  });

  it.each([
    ['is not there', () => join(folder, 'none.json'), /none\.json could not be read/],
    ['is no JSON', () => file('text.json', 'receipt'), /text\.json is not JSON/],
  ])('ends with 2 where the file %s', async (_, path, says) => {
    const r = await verify(path());
    expect([r.exitCode, r.stdout]).toEqual([2, '']);
    expect(r.stderr).toMatch(says);
  });

  it('ends with 1 where the key is not one', async () => {
    const r = await offline('verify-receipt', file('answer.json', answer), '--key', 'assay+1+x');
    expect([r.exitCode, r.stderr]).toEqual([1, expect.stringContaining('the key is not written as name+id+key')]);
  });
});

describe('assay audit key', () => {
  it('prints what verify-receipt takes', async () => {
    const r = await w.plain('audit', 'key', '--psp', psp.pspId);
    expect([r.exitCode, r.stdout]).toEqual([0, `${key}\n`]);
  });
});

describe('assay audit verify', () => {
  it('finds nothing beside the running service, and says what was compared', async () => {
    const r = await w.json('audit', 'verify');
    expect(r.exitCode).toBe(0);
    const own = r.json().psps.find((p: { pspId: string }) => p.pspId === psp.pspId);
    expect(own).toMatchObject({ findings: [], remarks: [] });
    expect(own.checkpoints.outside).toBeGreaterThan(0);
    expect([r.json().sound, own.entries]).toEqual([true, own.sealed]);
    const plain = await w.plain('audit', 'verify', '--psp', psp.pspId, '--key', key);
    expect([plain.exitCode, plain.stdout.split('\n').length]).toEqual([0, 4]);
  });

  it('ends with 1 and names the entry that was changed', async () => {
    await w.database.admin.query(
      "UPDATE journal SET body = replace(body, '107.5', '7.5') WHERE psp_id IN (SELECT psp_id FROM accounts WHERE name = 'Sealed Pay') AND kind = 'transaction.created'",
    );
    const { seq, id } = answer.content.entries[0].entry;
    const r = await w.plain('audit', 'verify', '--psp', psp.pspId);
    expect(id).toEqual(expect.any(String));
    expect(r.exitCode).toBe(1);
    expect(r.stdout).toMatch(
      new RegExp(
        `${psp.pspId} ENTRY_CHANGED: entry ${seq} \\(evt_\\w+, transaction\\.created\\) is not the one that was sealed`,
      ),
    );
    expect(r.stderr).toBe('assay: the journal of 1 of 1 PSPs is not sound\n');
    const json = await w.json('audit', 'verify', '--psp', psp.pspId);
    expect([json.exitCode, json.json().sound, json.json().psps[0].findings[0].entry]).toEqual([1, false, seq]);
  });

  it.each([
    [['--psp', 'me'], "--psp must be a PSP's id such as psp_"],
    [['--key', 'me'], '--key: the key is not written as name+id+key'],
    [['--checkpoints', '/nowhere/kept'], '--checkpoints: /nowhere/kept has no checkpoints of any PSP'],
  ])('ends with 2 at %j', async (args, says) => {
    const r = await w.plain('audit', 'verify', ...args);
    expect([r.exitCode, r.stderr]).toEqual([2, expect.stringContaining(says)]);
  });

  it('is refused where nothing is known of a PSP, since nothing is verified then', async () => {
    const r = await w.json('audit', 'verify', '--psp', 'psp_01h455vb4pex5vsknk084sn02q');
    expect([r.exitCode, r.json().code]).toEqual([3, 'NOT_FOUND']);
  });
});
