// assay key, beside a running service.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fromWire } from '../../src/core/ids.ts';
import { revokeKey } from '../../src/modules/accounts/administer-keys.ts';
import { rotateKey } from '../../src/modules/accounts/rotate-key.ts';
import { system } from '../../src/modules/kernel/principal.ts';
import { makeWorld, me, type World } from './world.ts';

let w: World;
let made = 0;
const newPsp = () => w.makePsp(`Key Pay ${++made}`);
const status = async (key: string) => (await w.call('/v1/client/verifyClientStatus', key)).status;
/** Until the running service has read the key again, which it does within a second. */
const becomes = (key: string, expected: number) =>
  vi.waitFor(async () => expect(await status(key)).toBe(expected), { timeout: 120_000, interval: 50 });

beforeAll(async () => {
  w = await makeWorld();
});
afterAll(() => w.stop());

describe('assay key issue', () => {
  it('issues a further key that the running service accepts, and none that would have ended', async () => {
    const psp = await newPsp();
    const [open, past] = await Promise.all([
      w.json('key', 'issue', psp.pspId, '--name', 'second till', '--expires', '2100-01-01T00:00:00+01:00'),
      w.json('key', 'issue', psp.pspId, '--name', 'of yesterday', '--expires', '2020-01-01'),
    ]);
    expect(open.json()).toMatchObject({ name: 'second till', expiresAt: '2099-12-31T23:00:00.000Z' });
    expect([past.exitCode, past.json().message]).toEqual([3, '--expires has passed']);
    expect(await status(open.json().apiKey)).toBe(200);
    expect(await status(psp.apiKey)).toBe(200);
  });

  it('creates a test key for the account for tests of a PSP, and says whose it is', async () => {
    const psp = await newPsp();
    const r = await w.json('key', 'create', psp.pspId, '--name', 'integration', '--mode', 'test');
    expect(r.json()).toMatchObject({ mode: 'test', clientId: expect.stringMatching(/^psp_/) });
    expect(r.json().clientId).not.toBe(psp.pspId);
    expect(await status(r.json().apiKey)).toBe(200);
    const plain = await w.plain('key', 'create', psp.pspId, '--name', 'second', '--mode', 'test');
    expect(plain.stdout).toMatch(new RegExp(`Test account +${r.json().clientId}`));
    // Both have one name.
    const modes = (await w.plain('psp', 'list')).stdout.split('\n').filter((l) => l.includes(`Key Pay ${made} `));
    expect(modes.map((l) => l.match(/ (live|test) /)?.[1])).toEqual(['test', 'live']);
    expect((await w.plain('client', 'show', r.json().clientId)).stdout).toMatch(
      new RegExp(`For tests of +${psp.pspId}`),
    );
    expect((await w.json('key', 'create', psp.pspId, '--name', 'x', '--mode', 'maybe')).exitCode).toBe(2);
    const third = await w.json('key', 'create', r.json().clientId, '--name', 'third');
    expect([third.exitCode, third.json().mode]).toEqual([0, 'test']);
  });

  it('takes no date that the calendar does not have', async () => {
    const r = await w.json('key', 'issue', 'psp_x', '--name', 'x', '--expires', '2026-02-31');
    expect([r.exitCode, r.stdout]).toEqual([2, '']);
    expect(r.stderr).toContain("option '--expires <time>' argument '2026-02-31' is invalid");
  });
});

describe('assay key rotate', () => {
  it('issues a new key and lets the old one go on through the grace, and journals both', async () => {
    const psp = await newPsp();
    const before = Date.now();
    const r = await w.json('key', 'rotate', psp.pspId, '--name', 'rotation', '--grace-hours', '48');
    const { keyId, apiKey, replaced } = r.json();
    expect(Object.keys(r.json())).toEqual(['keyId', 'apiKey', 'name', 'replaced']);
    expect(replaced).toHaveLength(1);
    const ends = Date.parse(replaced[0].expiresAt);
    expect(ends).toBeGreaterThanOrEqual(before + 48 * 3_600_000);
    expect(ends).toBeLessThanOrEqual(Date.now() + 48 * 3_600_000);
    expect(await status(apiKey)).toBe(200);
    await becomes(psp.apiKey, 200);

    const entries = [...(await w.journal('key.issued')), ...(await w.journal('key.updated'))].filter(
      (e) => e.clientId === psp.pspId && e.evidence?.reason === 'rotation',
    );
    expect(entries.map((e) => [e.type, e.actor.by, e.data.key.keyId, e.data.key.expiresAt])).toEqual([
      ['key.issued', me, keyId, null],
      ['key.updated', me, replaced[0].keyId, replaced[0].expiresAt],
    ]);
    const list = (await w.json('key', 'list', psp.pspId)).json().items;
    expect(list.map((k: { keyId: string; expiresAt: string | null }) => [k.keyId, k.expiresAt])).toEqual([
      [keyId, null],
      [replaced[0].keyId, replaced[0].expiresAt],
    ]);
  });

  it('ends the old keys at once without a grace, and leaves one alone that has ended already', async () => {
    const psp = await newPsp();
    const { keyId } = (await w.json('key', 'issue', psp.pspId, '--name', 'gone', '--expires', '2100-01-01')).json();
    await w.database.admin.query("UPDATE api_keys SET expires_at = '2020-01-01' WHERE id = $1", [
      fromWire('key', keyId),
    ]);
    expect(await status(psp.apiKey)).toBe(200);
    const r = await w.json('key', 'rotate', psp.pspId, '--grace-hours', '0');
    expect(r.json().replaced.map((k: { name: string }) => k.name)).toEqual(['first key']);
    expect(r.json().name).toMatch(/^rotation \d{4}-\d{2}-\d{2}$/);
    await becomes(psp.apiKey, 401);
    expect(await status(r.json().apiKey)).toBe(200);
    const table = await w.plain('key', 'list', psp.pspId);
    expect(table.stdout.match(/ (live|expired|revoked) /g)).toEqual([' live ', ' expired ', ' expired ']);
    expect(table.stdout).not.toContain('asy_');
  });

  it('never revives a key that is revoked at the same moment', async () => {
    const psp = await newPsp();
    const id = fromWire('psp', psp.pspId) as string;
    const s = w.app.services;
    for (let round = 0; round < 10; round++) {
      const now = Date.now();
      const [row] = await s.db.query<{ id: string }>(
        'SELECT id FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL ORDER BY id DESC LIMIT 1',
        [id],
      );
      const key = row?.id as string;
      await Promise.all([
        rotateKey(s, system, id, { name: `round ${round}` }, 3_600_000, now),
        revokeKey(s, system, key, 'leaked', now),
      ]);
      const [after] = await s.db.query('SELECT revoked_at FROM api_keys WHERE id = $1', [key]);
      expect(after?.revoked_at).not.toBeNull();
    }
  });

  it('never lengthens the life of a key', async () => {
    const psp = await newPsp();
    const id = fromWire('psp', psp.pspId) as string;
    const s = w.app.services;
    const now = Date.now();
    const one = await rotateKey(s, system, id, { name: 'one' }, 3_600_000, now);
    const two = await rotateKey(s, system, id, { name: 'two' }, 7_200_000, now);
    const first = one.replaced[0]?.keyId as string;
    expect(two.replaced.map((k) => k.keyId)).toEqual([one.keyId]);
    const [row] = await s.db.query('SELECT expires_at FROM api_keys WHERE id = $1', [fromWire('key', first)]);
    expect(row?.expires_at).toBe(new Date(now + 3_600_000).toISOString());
  });

  it('refuses an unknown account with exit code 3', async () => {
    const r = await w.json('key', 'rotate', 'psp_01h455vb4pex5vsknk084sn02q');
    expect([r.exitCode, r.json().code]).toEqual([3, 'NOT_FOUND']);
  });
});

describe('assay key revoke', () => {
  it('revokes a key in the running service and journals the reason; again it answers the same', async () => {
    const psp = await newPsp();
    expect(await status(psp.apiKey)).toBe(200);
    const { keyId } = (await w.json('key', 'list', psp.pspId)).json().items[0];
    const r = await w.json('key', 'revoke', keyId, '--reason', 'found in a public repository');
    expect(r.json()).toEqual({ keyId, revokedAt: expect.any(String) });
    await becomes(psp.apiKey, 401);
    const again = await w.json('key', 'revoke', keyId, '--reason', 'once more');
    expect(again.json()).toEqual(r.json());
    const entries = (await w.journal('key.revoked')).filter((e) => e.data.key.keyId === keyId);
    expect(entries.map((e) => [e.actor.by, e.evidence.reason])).toEqual([[me, 'found in a public repository']]);
  });

  it('ends what a leaked key made, which is listed before', async () => {
    const psp = await newPsp();
    const leaked = (await w.json('key', 'create', psp.pspId, '--name', 'leaked')).json();
    const { content } = (await w.call('/v1/key', leaked.apiKey, { name: 'by the thief' })).body;
    const listed = await w.plain('key', 'made', leaked.keyId);
    expect(listed.stdout).toMatch(new RegExp(`key +${content.keyId} +by the thief +${leaked.keyId} .* active`));
    const since = ['--end-made-since', '2026-01-01'];
    const r = await w.json('key', 'revoke', leaked.keyId, '--reason', 'leaked', ...since);
    expect(r.json().made).toMatchObject([{ type: 'key', id: content.keyId, active: false }]);
    await becomes(content.apiKey, 401);
    expect((await w.json('key', 'made', leaked.keyId, '--since', '2999-01-01')).json().items).toEqual([]);
  });
});

describe('assay key create --scopes', () => {
  it('issues a key that may do no more, and names what there is to choose', async () => {
    const psp = await newPsp();
    const r = await w.json('key', 'create', psp.pspId, '--name', 'till', '--scopes', 'read', 'payments');
    expect(r.json().scopes).toEqual(['payments', 'read']);
    const table = await w.plain('key', 'list', psp.pspId);
    expect(table.stdout).toMatch(/till +payments, read/);
    const wrong = await w.json('key', 'create', psp.pspId, '--name', 'x', '--scopes', 'all');
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('payments, records, read, administration'),
    ]);
  });
});
