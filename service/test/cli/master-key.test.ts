// assay master-key rotate: the running service continues, the next start needs the new key, and data sealed before can
// be read.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, makeApp } from '../../src/app.ts';
import { makeLog } from '../../src/platform/log.ts';
import { readSettings } from '../../src/settings.ts';
import { makeWorld, type World } from './world.ts';

let w: World;
let folder: string;
let psp: { pspId: string; apiKey: string };
beforeAll(async () => {
  w = await makeWorld();
  folder = mkdtempSync(join(tmpdir(), 'assay-master-'));
  psp = await w.makePsp('Sealed Pay');
});
afterAll(async () => {
  await w.stop();
  rmSync(folder, { recursive: true, force: true });
});

let n = 0;
const email = 'ada@example.com';
const deposit = async () => {
  const body = {
    ref: `deposit-${++n}`,
    totalAmount: 1000,
    currency: 'NGN',
    customer: { email },
    countryCode: 'NG',
    transactionFee: 1,
  };
  return (await w.call('/v1/payment/deposit', psp.apiKey, body)).body.content.transactionId as string;
};
/** A start on the same database with another master key. */
const start = (key: string): Promise<App> =>
  makeApp({
    settings: readSettings({ ...w.env, PORT: '0', CDR_SFTP: 'off', DATABASE_POOL: '2', ASSAY_MASTER_KEY: key }),
    log: makeLog('silent'),
  });
const customerAt = async (address: string, id: string) => {
  const r = await fetch(`${address}/v1/transaction/${id}?expand=customer`, { headers: { 'x-api-key': psp.apiKey } });
  return ((await r.json()) as { content: { customer: unknown } }).content.customer;
};
const wrapped = async () =>
  (await w.database.admin.query('SELECT version, wrapped FROM vault_keys ORDER BY version')) as {
    version: number;
    wrapped: string;
  }[];

describe('assay master-key rotate', () => {
  it.each([
    ['is too short', 'c0ffee', 'is too short must be 32 bytes, as hex or base64'],
    ['is not there', undefined, 'ENOENT'],
  ])('ends with 1 where the new key %s, and changes nothing', async (what, text, says) => {
    const path = join(folder, what);
    if (text !== undefined) writeFileSync(path, text);
    const before = await wrapped();
    const r = await w.json('master-key', 'rotate', '--new-key-file', path);
    expect(r.exitCode).toBe(1);
    expect(r.json().message).toContain(says);
    expect(await wrapped()).toEqual(before);
  });

  it('wraps all data keys anew; what was sealed before and after opens with the new key alone', async () => {
    const before = await deposit();
    const keys = await wrapped();
    const fresh = randomBytes(32);
    const path = join(folder, 'new.key');
    writeFileSync(path, `${fresh.toString('base64')}\n`);
    const r = await w.plain('master-key', 'rotate', '--new-key-file', path);
    expect([r.exitCode, r.stdout]).toEqual([0, 'The data keys are wrapped under the new master key.\n']);
    expect(r.stderr).toContain('Set ASSAY_MASTER_KEY');
    expect(r.stdout + r.stderr).not.toContain(fresh.toString('base64'));

    const after = await wrapped();
    expect(after.map((k) => k.version)).toEqual([...keys.map((k) => k.version), keys.length]);
    for (const [i, k] of keys.entries()) expect(after[i]?.wrapped).not.toBe(k.wrapped);
    // The service that runs has its keys in memory.
    const beside = await deposit();
    const { apiKey } = await w.makeClient(psp.apiKey);
    expect((await w.call('/v1/client/verifyClientStatus', apiKey)).status).toBe(200);

    await expect(start(randomBytes(32).toString('hex'))).rejects.toThrow(
      'the master key is not the one this database was sealed with; set ASSAY_MASTER_KEY',
    );
    const old = await w.json('migrate');
    expect([old.exitCode, old.json().message]).toEqual([
      1,
      expect.stringContaining('the master key is not the one this database was sealed with'),
    ]);
    const next = await start(fresh.toString('hex'));
    try {
      const address = await next.listen();
      for (const id of [before, beside]) expect(await customerAt(address, id)).toEqual({ customer: { email } });
    } finally {
      await next.stop();
    }
  });
});
