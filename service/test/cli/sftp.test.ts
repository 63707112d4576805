// assay sftp, beside a running service.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld, me, type World } from './world.ts';

let w: World;
beforeAll(async () => {
  w = await makeWorld();
});
afterAll(() => w.stop());

describe('assay sftp', () => {
  it('creates a login with its password, adds a key, lists and revokes it, and journals who did', async () => {
    const psp = await w.makePsp('Drop Pay');
    const made = (await w.json('sftp', 'create', psp.pspId, '--name', 'billing')).json();
    expect(made).toMatchObject({
      clientId: psp.pspId,
      state: 'ACTIVE',
      password: expect.stringMatching(/^[\w-]{24}$/),
    });
    const key = join(w.env.DATA_DIR as string, 'id.pub');
    writeFileSync(key, 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me\n');
    const added = (await w.json('sftp', 'add-key', made.loginId, '--key', key)).json();
    expect(added.publicKeys).toHaveLength(1);
    const table = await w.plain('sftp', 'list', psp.pspId);
    expect(table.stdout).toContain(made.username);
    expect(table.stdout).not.toContain(made.password);
    const { incoming } = (await w.json('sftp', 'folders', psp.pspId)).json();
    expect(incoming.startsWith(join(w.env.DATA_DIR as string, 'cdr', 'incoming'))).toBe(true);
    expect(existsSync(incoming)).toBe(true);
    const revoked = (await w.json('sftp', 'revoke', made.loginId, '--reason', 'left')).json();
    expect(revoked).toMatchObject({ loginId: made.loginId, state: 'REVOKED' });
    const entries = [
      ...(await w.journal('sftp_login.issued')),
      ...(await w.journal('sftp_login.updated')),
      ...(await w.journal('sftp_login.revoked')),
    ];
    expect(entries.map((e) => [e.type, e.actor.by])).toEqual([
      ['sftp_login.issued', me],
      ['sftp_login.updated', me],
      ['sftp_login.revoked', me],
    ]);
  });

  it('names the option of what is wrong, and refuses an unknown account or login', async () => {
    const psp = await w.makePsp('Drop Pay Two');
    const key = join(w.env.DATA_DIR as string, 'bad.pub');
    writeFileSync(key, 'nothing');
    const bad = await w.json('sftp', 'create', psp.pspId, '--name', 'x', '--key', key);
    expect([bad.exitCode, bad.json().message]).toEqual([3, expect.stringMatching(/^--key is no OpenSSH public key/)]);
    const missing = await w.json('sftp', 'create', psp.pspId, '--name', 'x', '--key', `${key}.not`);
    expect(missing.exitCode).toBe(2);
    const unknown = await w.json('sftp', 'revoke', 'sfl_01h455vb4pex5vsknk084sn02q', '--reason', 'x');
    expect([unknown.exitCode, unknown.json().code]).toEqual([3, 'NOT_FOUND']);
  });
});
