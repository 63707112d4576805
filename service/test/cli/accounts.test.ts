// assay psp, client and operator, beside a running service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld, me, order, type World } from './world.ts';

let w: World;
let psp: { pspId: string; apiKey: string; secret: string };

beforeAll(async () => {
  w = await makeWorld();
  psp = await w.makePsp('Example Pay');
});
afterAll(() => w.stop());

// Spec 5.6
describe('assay psp', () => {
  it('creates a PSP whose key the running service accepts at once', async () => {
    expect(Object.keys(psp)).toEqual(['pspId', 'apiKey', 'secret']);
    const r = await w.call('/v1/client/verifyClientStatus', psp.apiKey);
    expect(r.status).toBe(200);
    expect(r.body.content).toMatchObject({ clientId: psp.pspId, registeredName: 'Example Pay', countryCode: 'NG' });
  });

  it('writes who created it into the journal, and neither key nor secret', async () => {
    const entries = [...(await w.journal('client.created')), ...(await w.journal('key.issued'))].filter(
      (e) => e.clientId === psp.pspId,
    );
    expect(entries.map((e) => [e.type, e.actor.by])).toEqual([
      ['client.created', me],
      ['key.issued', me],
    ]);
    expect(JSON.stringify(entries)).not.toContain(psp.apiKey.slice('asy_'.length + 27, -9));
    expect(JSON.stringify(entries)).not.toContain(psp.secret.slice('whsec_'.length));
  });

  it('seals the secret so that the running service can open it', async () => {
    const { vault } = w.app.services;
    const rows = await w.database.admin.query<{ id: string; secret_sealed: string }>(
      "SELECT id, secret_sealed FROM accounts WHERE name = 'Example Pay'",
    );
    const [row] = rows;
    expect(vault.open(row?.secret_sealed as string, `accounts/${row?.id}/secret`)).toBe(psp.secret);
  });

  it('prints key and secret for a person once, with a word of warning beside the result', async () => {
    const made = await w.plain('psp', 'create', '--name', 'Person Pay', '--country', 'NGA');
    expect(made.exitCode).toBe(0);
    expect(made.stdout).toMatch(/^PSP +psp_\w{26}\nAPI key +asy_\S+\nSecret +whsec_\S+\n$/);
    expect(made.stderr).toBe('Keep the key and the secret: they are not shown again.\n');
    const list = await w.plain('psp', 'list');
    expect(list.stdout).toContain('Person Pay');
    expect(list.stdout).not.toMatch(/asy_|whsec_/);
  });

  it('refuses an unknown country with exit code 3, names the option, and creates nothing', async () => {
    const r = await w.json('psp', 'create', '--name', 'Nowhere Pay', '--country', 'ZZ');
    expect(r.exitCode).toBe(3);
    expect(r.json()).toEqual({
      success: false,
      code: 'UNKNOWN_COUNTRY',
      message: "--country is not an ISO 3166-1 country code: 'ZZ'",
    });
    expect(await w.database.admin.query("SELECT 1 FROM accounts WHERE name = 'Nowhere Pay'")).toEqual([]);
  });

  it('lists page by page, newest first, without gap or repetition', async () => {
    const all = (await w.json('psp', 'list')).json();
    expect(all.nextCursor).toBeNull();
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await w.json('psp', 'list', '--limit', '1', ...(cursor ? ['--cursor', cursor] : []));
      expect(page.json().items).toHaveLength(1);
      seen.push(page.json().items[0].clientId);
      cursor = page.json().nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(all.items.map((a: { clientId: string }) => a.clientId));
    expect(seen).toContain(psp.pspId);
  });
});

describe('assay client', () => {
  it('lists clients, of one PSP where it is named, and shows one with its standing', async () => {
    const other = await w.makePsp('Other Pay');
    const mine = await w.makeClient(psp.apiKey);
    const theirs = await w.makeClient(other.apiKey);
    const [all, some, one] = await Promise.all([
      w.json('client', 'list'),
      w.json('client', 'list', '--psp', psp.pspId),
      w.json('client', 'show', mine.clientId),
    ]);
    const ids = (r: { json(): { items: { clientId: string }[] } }) => r.json().items.map((a) => a.clientId);
    expect(ids(all)).toEqual([theirs.clientId, mine.clientId]);
    expect(ids(some)).toEqual([mine.clientId]);
    const wire = await w.call(`/v1/client/${mine.clientId}`, psp.apiKey);
    expect(one.json()).toEqual(wire.body.content);
  });

  it('sets a tax profile that the next sale follows, and shows it', async () => {
    const { clientId, apiKey } = await w.makeClient(psp.apiKey);
    const vatOf = async (ref: string) =>
      (await w.call('/v1/transaction/verifyTransaction', apiKey, order(ref))).body.content.vatAmount;
    const before = await w.plain('client', 'show', clientId);
    expect(before.stdout).toMatch(/^Tax profile +none: counts as registered in every country$/m);
    expect(await vatOf('assumed')).toBeGreaterThan(0);
    const set = ['client', 'tax', clientId, '--country', 'NG', '--from', '2024-01-01'];
    const small = ['--registered', 'no', '--scheme', 'SMALL_BUSINESS', '--reason', 'turnover below the limit'];
    expect((await w.json(...set, ...small)).exitCode).toBe(0);
    expect(await vatOf('small')).toBe(0);
    const later = ['client', 'tax', clientId, '--country', 'ESP', '--from', '2025-01-01', '--registered', 'yes'];
    const further = ['--number', 'B58378431', '--subdivision', 'ES-CN', '--sells', 'restaurants'];
    const answer = await w.plain(...later, ...further);
    const shown = await w.plain('client', 'show', clientId);
    expect(shown.stdout).toBe(answer.stdout);
    expect(shown.stdout).not.toContain('none: counts');
    expect(shown.stdout).toMatch(/^NG +- +2024-01-01 +no +SMALL_BUSINESS +- +- +- +-$/m);
    expect(shown.stdout).toMatch(/^ES +ES-CN +2025-01-01 +yes +STANDARD +B58378431 +- +yes +restaurants$/m);
    const { body } = await w.call(`/v1/client/${clientId}`, psp.apiKey);
    expect((await w.json('client', 'show', clientId)).json().taxProfiles).toEqual(body.content.taxProfiles);
    const reasons = (await w.journal('client.updated')).map((e) => [e.clientId, e.actor.by, e.evidence.reason]);
    expect(reasons).toContainEqual([clientId, me, 'turnover below the limit']);
  });

  it.each(['--country', '--from', '--registered'])('sets no tax profile without %s', async (left) => {
    const all = { '--country': 'NG', '--from': '2026-01-01', '--registered': 'no' };
    const given = Object.entries(all).filter(([name]) => name !== left);
    const { clientId } = await w.makeClient(psp.apiKey);
    const r = await w.plain('client', 'tax', clientId, ...given.flat());
    expect([r.exitCode, r.stderr]).toEqual([2, expect.stringContaining(`required option '${left} `)]);
    const { body } = await w.call(`/v1/client/${clientId}`, psp.apiKey);
    expect(body.content.taxProfiles).toBeUndefined();
  });

  it('refuses an unknown id with exit code 3', async () => {
    for (const id of ['cli_01h455vb4pex5vsknk084sn02q', 'nonsense']) {
      const r = await w.json('client', 'show', id);
      expect([r.exitCode, r.json()]).toEqual([
        3,
        { success: false, code: 'NOT_FOUND', message: 'not found, or not yours to see' },
      ]);
      expect(r.stderr).toBe('assay: not found, or not yours to see\n');
    }
  });
});

describe('assay operator', () => {
  it('creates an operator whose key opens the admin operations and no others', async () => {
    const r = await w.json('operator', 'create', '--name', 'Night shift');
    expect(Object.keys(r.json())).toEqual(['operatorId', 'name', 'apiKey']);
    const { apiKey } = r.json();
    expect((await w.call('/v1/admin/account', apiKey)).status).toBe(200);
    expect((await w.call('/v1/transaction', apiKey)).status).toBe(403);
    expect((await w.call('/v1/admin/account', psp.apiKey)).status).toBe(403);
    expect((await w.json('psp', 'list')).stdout).not.toContain('Night shift');
  });
});
