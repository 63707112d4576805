// Logins of the file drop over HTTP: who may create them, what is shown of them, what the journal records.
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { ed25519Pair } from '../support/ssh-keys.ts';

const path = '/v1/telecom/sftpCredentials';
const ed25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';

let t: TestApp;
let psp: Account;
let client: Account;
let other: Account;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  other = await t.makePsp('Other');
});
afterAll(() => t.stop());

const create = async (by: Account, body: Record<string, unknown> = { name: 'billing' }, headers = {}) =>
  contentOf(await t.post(path, body, by.apiKey, headers));
const list = async (by: Account, headers = {}) => contentOf(await t.get(path, by.apiKey, headers)).items;
async function journal(loginId: string): Promise<{ type: string; version: number; evidence?: { reason: string } }[]> {
  const rows = await t.database.admin.query<{ body: string }>(
    "SELECT body FROM journal WHERE kind LIKE 'sftp_login.%' ORDER BY psp_id, seq",
  );
  return rows.map((r) => JSON.parse(r.body)).filter((e) => e.data.loginId === loginId);
}

// Spec 5.6
describe('createSftpCredentials', () => {
  it('shows a password once and keeps only its scrypt', async () => {
    const made = await create(client);
    expect(made).toEqual({
      loginId: expect.stringMatching(/^sfl_/),
      clientId: client.id,
      username: expect.stringMatching(/^cdr-[0-9a-z]{12}$/),
      name: 'billing',
      password: expect.stringMatching(/^[\w-]{24}$/),
      publicKeys: [],
      state: 'ACTIVE',
      createdAt: '2026-11-21T10:00:00.000Z',
      revokedAt: null,
    });
    const [row] = await t.database.admin.query('SELECT * FROM sftp_logins WHERE username = $1', [made.username]);
    expect(row?.password_scrypt).toMatch(/^scrypt\$16384\$8\$1\$/);
    const everything = JSON.stringify([row, await t.database.admin.query('SELECT body FROM journal')]);
    expect(everything).not.toContain(made.password);
    expect(t.logged.join()).not.toContain(made.password);
    expect((await list(client))[0]).toEqual({ ...made, password: true });
  });

  it('takes a public key, and then has no password unless asked', async () => {
    const made = await create(client, { name: 'keyed', publicKey: `${ed25519} billing@host\n` });
    expect(made).toMatchObject({ password: null, publicKeys: [expect.stringMatching(/^SHA256:[\w+/]{43}$/)] });
    const both = await create(client, { name: 'both', publicKey: ed25519, password: true });
    expect(both).toMatchObject({ password: expect.any(String), publicKeys: made.publicKeys });
  });

  it('refuses what is no public key, is too weak, or should never have been sent', async () => {
    const weak = ssh2.utils.generateKeyPairSync('rsa', { bits: 1024 }).public;
    const secret = ed25519Pair().private;
    for (const [publicKey, message] of [
      ['ssh-ed25519', /is no OpenSSH public key/],
      [`${ed25519}\n${ed25519}`, /is no OpenSSH public key/],
      [weak, /RSA key of 1024 bits/],
      [secret, /holds a private key/],
    ] as const)
      expectRefusal(await t.post(path, { name: 'x', publicKey }, client.apiKey), 400, 'FIELD_INVALID', message);
    expectRefusal(await t.post(path, {}, client.apiKey), 400, 'FIELD_REQUIRED', "the field 'name' is required");
  });

  it("makes a PSP's login for itself or for its client, never for another's", async () => {
    expect((await create(psp)).clientId).toBe(psp.id);
    expect((await create(psp, { name: 'x' }, { 'x-client-id': client.id })).clientId).toBe(client.id);
    const foreign = await t.post(path, { name: 'x' }, other.apiKey, { 'x-client-id': client.id });
    expectRefusal(foreign, 404, 'NOT_FOUND');
  });

  it('stops at 20 active logins of an account', async () => {
    const many = await t.makeClient(psp);
    for (let i = 0; i < 20; i++) await create(many, { name: `${i}`, publicKey: ed25519 });
    const r = await t.post(path, { name: 'one more' }, many.apiKey);
    expectRefusal(r, 409, 'LIMIT_REACHED', /revoke one/);
    expect(await list(many)).toHaveLength(20);
  });
});

describe('listSftpCredentials', () => {
  it("shows a client its own, a PSP all of its accounts', nobody another PSP's", async () => {
    const mine = await create(psp, { name: 'mine' });
    const theirs = await create(client, { name: 'theirs' });
    const ids = (items: { loginId: string }[]) => items.map((l) => l.loginId);
    expect(ids(await list(psp))).toEqual(expect.arrayContaining([mine.loginId, theirs.loginId]));
    expect(ids(await list(client))).not.toContain(mine.loginId);
    expect(ids(await list(psp, { 'x-client-id': client.id }))).not.toContain(mine.loginId);
    expect(await list(other)).toEqual([]);
  });
});

describe('addSftpKey and revokeSftpCredentials', () => {
  it('add a key once, revoke once, and the journal has each step once', async () => {
    const made = await create(client);
    const at = `${path}/${made.loginId}`;
    const added = contentOf(await t.post(`${at}/key`, { publicKey: ed25519 }, client.apiKey));
    expect(added.publicKeys).toHaveLength(1);
    expect(contentOf(await t.post(`${at}/key`, { publicKey: ed25519 }, client.apiKey))).toEqual(added);
    const revoke = () => t.post(`${at}/revoke`, { reason: 'left' }, psp.apiKey);
    const [one, two] = await Promise.all([revoke(), revoke()]);
    t.advance(1000);
    expect(contentOf(await revoke())).toEqual({ ...added, state: 'REVOKED', revokedAt: expect.any(String) });
    expect(contentOf(one)).toEqual(contentOf(two));
    expectRefusal(await t.post(`${at}/key`, { publicKey: ed25519 }, client.apiKey), 409, 'STATE_CONFLICT');
    expect((await journal(made.loginId)).map((e) => [e.type, e.version, e.evidence?.reason])).toEqual([
      ['sftp_login.issued', 1, undefined],
      ['sftp_login.updated', 2, undefined],
      ['sftp_login.revoked', 3, 'left'],
    ]);
  });

  it('keep every key of those added at the same moment, each with its entry', async () => {
    const made = await create(client);
    const keys = Array.from({ length: 12 }, () => ed25519Pair().public);
    const answers = await Promise.all(
      keys.map((publicKey) => t.post(`${path}/${made.loginId}/key`, { publicKey }, client.apiKey)),
    );
    for (const r of answers) if (r.status !== 200) expectRefusal(r, 409, 'LIMIT_REACHED');
    const [login] = await list(client);
    expect(answers.filter((r) => r.status === 200)).toHaveLength(10);
    expect(login.publicKeys).toHaveLength(10);
    expect((await journal(made.loginId)).map((e) => e.version)).toEqual(Array.from({ length: 11 }, (_, i) => i + 1));
  });

  it("reach nobody else's login", async () => {
    const made = await create(client);
    for (const [what, body] of [
      ['key', { publicKey: ed25519 }],
      ['revoke', { reason: 'x' }],
    ] as const) {
      expectRefusal(await t.post(`${path}/${made.loginId}/${what}`, body, other.apiKey), 404, 'NOT_FOUND');
      const sibling = await t.makeClient(psp);
      expectRefusal(await t.post(`${path}/${made.loginId}/${what}`, body, sibling.apiKey), 404, 'NOT_FOUND');
      expectRefusal(await t.post(`${path}/sfl_x/${what}`, body, client.apiKey), 404, 'NOT_FOUND');
    }
    expect((await list(client))[0]).toMatchObject({ loginId: made.loginId, state: 'ACTIVE', publicKeys: [] });
  });
});
