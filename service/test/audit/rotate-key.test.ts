// The key that signs checkpoints is replaced while the service runs: who holds the former one comes to the new one by what both
// signed, every journal is signed with the new one, and a key that somebody put in beside the service is found.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nextKey as nextKeyOfClient, verifyReceipt as verifyAsClient } from '@assay/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Flaw } from '../../src/core/audit/flaw.ts';
import { keyChangeText } from '../../src/core/audit/key-change.ts';
import {
  formatKey,
  openCheckpoint,
  parseKey,
  signatureLine,
  signNote,
  type VerifierKey,
  verifierKey,
} from '../../src/core/audit/note.ts';
import { audit, CheckpointFolder } from '../../src/modules/audit/index.ts';
import { ed25519FromSeed, primitives, sha256 } from '../../src/platform/hashing.ts';
import { assayWith } from '../cli/run.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { allSealed, check, keyOf, receiptOf, verified } from '../support/audit.ts';
import { makeFolder } from '../support/folder.ts';
import { contentOf } from '../support/guarantees.ts';

const dayMs = 86_400_000;
let t: TestApp;
let operator: Account;
let psp: Account;
let idle: Account;
/** The key that a third party noted before anything was changed. */
let noted: string;
let notedOfIdle: string;

beforeEach(async () => {
  t = await makeTestApp();
  operator = await t.makeOperator();
  [psp, idle] = [await t.makePsp(), await t.makePsp()];
  await verified(t, psp);
  await verified(t, idle);
  await allSealed(t);
  [noted, notedOfIdle] = [await keyOf(t, psp), await keyOf(t, idle)];
});
afterEach(() => t.stop());

const rotate = async (over: Record<string, unknown> = {}) =>
  contentOf(await t.post('/v1/admin/audit/rotateKey', { reason: 'once a year', ...over }, operator.apiKey));
const keysOf = async (account: Account) => contentOf(await t.get('/v1/audit/key', account.apiKey));
const checkpointOf = async (account: Account): Promise<string> =>
  contentOf(await t.get('/v1/audit/checkpoint', account.apiKey)).checkpoint;
const signers = (note: string) => note.split('\n').filter((line) => line.startsWith('— ')).length;
const parsed = (text: string) => parseKey(sha256, text) as VerifierKey;
const signedBy = (note: string, key: string) => !(openCheckpoint(note, parsed(key), primitives) instanceof Flaw);

async function findings(key?: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [new CheckpointFolder(join(t.app.services.settings.dataDir, 'checkpoints'))];
  for await (const one of audit({ db: t.database.admin, folders, pinned: key === undefined ? undefined : parsed(key) }))
    found.push(...one.findings.map((f) => `${f.code} ${f.message}`));
  return [...new Set(found)];
}

/** With the command line of somebody who has the files and no service. */
async function byCommand(receipt: unknown, key: string, changes: readonly string[]) {
  const folder = makeFolder('assay-change-');
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const offline = assayWith({ DATA_DIR: '/nowhere', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  const options = changes.flatMap((c, i) => ['--change', file(`change-${i}`, c)]);
  const r = await offline('verify-receipt', file('receipt.json', JSON.stringify(receipt)), '--key', key, ...options);
  rmSync(folder, { recursive: true });
  return r;
}

describe('a key that is replaced in its time', () => {
  it('signs beside the new one until the day that was named, and by what both signed the new one is known', async () => {
    const change = await rotate({ bothForDays: 30 });
    const { key, former } = await keysOf(psp);
    expect([change.former, change.next].map((k) => parsed(k).publicKey)).toEqual([
      parsed(noted).publicKey,
      parsed(key).publicKey,
    ]);
    expect(former).toEqual([
      {
        key: noted,
        replacedAt: new Date(t.now()).toISOString(),
        signsUntil: new Date(t.now() + 30 * dayMs).toISOString(),
        change: expect.any(String),
      },
    ]);
    const meanwhile = await receiptOf(t, psp, await verified(t, psp));
    expect([check(meanwhile, noted), check(meanwhile, key)].filter((r) => r instanceof Flaw)).toEqual([]);
    t.advance(30 * dayMs);
    const after = await receiptOf(t, psp, await verified(t, psp));
    expect(check(after, key)).toMatchObject({ checkpoint: { origin: parsed(key).name } });
    expect(check(after, noted)).toMatchObject({ code: 'KEY' });
    // Whoever only noted the former key comes to the new one offline, by two programs that share no code.
    expect((await byCommand(after, noted, [])).exitCode).toBe(1);
    expect(await byCommand(after, noted, [former[0].change])).toMatchObject({ exitCode: 0 });
    expect(await nextKeyOfClient(former[0].change, noted)).toBe(key);
    expect(await verifyAsClient(after, await nextKeyOfClient(former[0].change, noted))).toMatchObject({
      checkpoint: { origin: parsed(key).name },
    });
    expect(await findings(noted)).toEqual([]);
    expect(await findings(key)).toEqual([]);
  });

  it('leaves no journal out, also none to which nothing is added any more', async () => {
    const before = await checkpointOf(idle);
    await rotate();
    const { key } = await keysOf(idle);
    const resigned = await until('it is signed anew', async () => {
      const note = await checkpointOf(idle);
      return note === before ? undefined : note;
    });
    expect(resigned.split('\n\n')[0]).toBe(before.split('\n\n')[0]);
    expect(signers(resigned)).toBe(2);
    // What was signed at first is still there as it was.
    const [row] = await t.database.admin.query(
      'SELECT note FROM audit_checkpoints WHERE psp_id = $1 ORDER BY size DESC',
      [idle.uuid],
    );
    expect(row?.note).toBe(before);
    expect(signedBy(resigned, key)).toBe(true);
    expect(await findings()).toEqual([]);
    // Later keys signed nothing but that, and a note that they did not sign is found.
    const altered = resigned.replace(/\n\d+\n/, (n) => `\n${Number(n) + 1}\n`);
    await t.database.admin.query('UPDATE audit_resigned SET note = $1 WHERE psp_id = $2', [altered, idle.uuid]);
    expect(await findings()).toContainEqual(expect.stringContaining('CHECKPOINT_INVALID the stored checkpoint'));
    await t.database.admin.query('UPDATE audit_resigned SET note = $1 WHERE psp_id = $2', [resigned, idle.uuid]);
    const [transaction] = contentOf(await t.get('/v1/transaction', idle.apiKey)).items;
    const receipt = await receiptOf(t, idle, transaction.transactionId);
    expect([check(receipt, key), check(receipt, notedOfIdle)].filter((r) => r instanceof Flaw)).toEqual([]);
    expect(await findings(notedOfIdle)).toEqual([]);
  });

  it('may be followed over several changes, in their order only', async () => {
    await rotate({ bothForDays: 1 });
    t.advance(2 * dayMs);
    await rotate({ bothForDays: 1 });
    t.advance(2 * dayMs);
    const { key, former } = await keysOf(psp);
    const receipt = await receiptOf(t, psp, await verified(t, psp));
    const changes = former.map((f: { change: string }) => f.change).reverse();
    expect(await byCommand(receipt, noted, changes)).toMatchObject({ exitCode: 0 });
    expect(await byCommand(receipt, noted, changes.slice(1))).toMatchObject({ exitCode: 1 });
    expect(await byCommand(receipt, noted, [...changes].reverse())).toMatchObject({ exitCode: 1 });
    // Another file in the place of a change is called what it was to be, by both.
    const noChange = 'the change of key is not a signed note';
    expect((await byCommand(receipt, noted, ['no note'])).stderr).toContain(noChange);
    await expect(nextKeyOfClient('no note', noted)).rejects.toThrow(noChange);
    expect(signers(receipt.checkpoint)).toBe(1);
    expect(check(receipt, key)).not.toBeInstanceOf(Flaw);
    expect(await findings(noted)).toEqual([]);
  });

  it('signs the snapshots by which the client library decides alone as well', async () => {
    await rotate();
    const { snapshot } = contentOf(await t.get('/v1/standin/snapshot', psp.apiKey));
    expect(signers(snapshot)).toBe(2);
  });

  it('is told in the journal, with who did it and why', async () => {
    const change = await rotate({ reason: 'the yearly change' });
    const [entry] = await t.database.admin.query("SELECT body FROM journal WHERE kind = 'audit_key.rotated'");
    expect(JSON.parse(entry?.body as string)).toMatchObject({
      schema: 'audit_key.rotated/1',
      data: change,
      evidence: { reason: 'the yearly change' },
    });
  });
});

describe('a key that leaked', () => {
  it('ends at once, and shows nothing about the one that follows', async () => {
    const answer = await t.post(
      '/v1/admin/audit/rotateKey',
      { reason: 'x', leaked: true, bothForDays: 3 },
      operator.apiKey,
    );
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('must be left out')]);
    await rotate({ reason: 'a laptop was stolen', leaked: true });
    const { key, former } = await keysOf(idle);
    expect(former).toMatchObject([{ key: notedOfIdle, signsUntil: null, change: null }]);
    const resigned = await until('the journal that is idle is signed with the new key alone', async () => {
      const note = await checkpointOf(idle);
      return signedBy(note, key) ? note : undefined;
    });
    expect(signers(resigned)).toBe(1);
    const receipt = await receiptOf(t, psp, await verified(t, psp));
    expect(check(receipt, noted)).toMatchObject({ code: 'KEY' });
    // The note exists, for the audit: the leaked key has not signed it.
    const [stored] = await t.database.admin.query('SELECT change FROM audit_keys ORDER BY version DESC LIMIT 1');
    expect(await byCommand(receipt, noted, [stored?.change as string])).toMatchObject({ exitCode: 1 });
    await expect(nextKeyOfClient(stored?.change as string, noted)).rejects.toThrow('signed by');
    expect(await findings((await keysOf(psp)).key)).toEqual([]);
    expect(await findings(noted)).toEqual([expect.stringMatching(/^KEY_UNKNOWN .*had leaked: note the new one/)]);
  });
});

describe('a key that nobody may put in', () => {
  it('only an administrator of the operator replaces it', async () => {
    for (const account of [psp, await t.makeClient(psp)])
      expect((await t.post('/v1/admin/audit/rotateKey', { reason: 'mine' }, account.apiKey)).status).toBe(403);
    expect((await keysOf(psp)).former).toEqual([]);
  });

  it('one of two that replace it at once is refused', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => t.post('/v1/admin/audit/rotateKey', { reason: 'at once' }, operator.apiKey)),
    );
    const done = answers.filter((a) => a.status === 200).length;
    expect(answers.filter((a) => a.status !== 200).every((a) => a.status === 409)).toBe(true);
    expect((await keysOf(psp)).former).toHaveLength(done);
    expect(await findings(noted)).toEqual([]);
  });

  it('is found where the database has one that the service did not make, whatever its note says', async () => {
    const forged = ed25519FromSeed(Buffer.alloc(32, 66));
    const service = parsed(noted).name.split('/')[0] as string;
    const mine = verifierKey(sha256, service, forged.publicKey);
    const at = new Date(t.now()).toISOString();
    const former = formatKey(verifierKey(sha256, service, parsed(noted).publicKey));
    const text = keyChangeText({ former, next: formatKey(mine), at, bothUntil: at });
    const claimed = verifierKey(sha256, service, parsed(noted).publicKey);
    const note = signNote(text, mine, forged.sign) + signatureLine(text, claimed, forged.sign);
    const put = (change: string, bothUntil: string | null) =>
      t.database.admin.query('INSERT INTO audit_keys VALUES (2, $1, $2, $3, $4, $5, $6)', [
        service,
        Buffer.from(forged.publicKey),
        'v1:forged',
        at,
        change,
        bothUntil,
      ]);
    await put(note, at);
    expect(await findings()).toEqual([expect.stringContaining('is not signed by the one before it')]);
    await expect(nextKeyOfClient(note, noted)).rejects.toThrow('does not hold');
    await t.database.admin.query('DELETE FROM audit_keys WHERE version = 2');
    // As if the former one had leaked, which needs no signature of it: the journal has no entry.
    const alone = keyChangeText({ former, next: formatKey(mine), at, bothUntil: null });
    await put(signNote(alone, mine, forged.sign), null);
    expect(await findings()).toEqual([expect.stringContaining('the journal has no entry about the key')]);
    await t.database.admin.query('DELETE FROM audit_keys WHERE version = 2');
    await rotate();
    await t.database.admin.query('DELETE FROM audit_keys WHERE version = 2');
    expect(await findings()).toContainEqual(expect.stringMatching(/of which the journal has an entry, is missing/));
  });
});
