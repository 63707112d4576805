// assay user: people who sign in, created and managed from the command line beside the running service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld, me, type World } from './world.ts';

let w: World;
beforeAll(async () => {
  w = await makeWorld();
});
afterAll(() => w?.stop());

const signIn = (email: string, password: string) =>
  fetch(`${w.address}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
const person = (email: string, ...more: string[]) =>
  w.json('user', 'create', '--email', email, '--name', 'Ada Obi', '--role', 'auditor', ...more);

describe('assay user', () => {
  it('lets a person of the staff sign in, and makes the staff’s account where there is none', async () => {
    const made = (await person('Ada@Example.com')).json();
    expect(made).toMatchObject({
      user: { email: 'ada@example.com', name: 'Ada Obi', role: 'auditor', state: 'ACTIVE', mustChangePassword: true },
      password: expect.stringMatching(/^[\w-]{24}$/),
    });
    const r = await signIn('ada@example.com', made.password);
    expect(r.status).toBe(200);
    expect(((await r.json()) as { content: { account: unknown } }).content.account).toEqual({
      kind: 'operator',
      accountId: made.user.accountId,
      name: 'Staff',
    });
    const [entry] = await w.journal('user.created');
    expect(entry.actor.by).toBe(me);
  });

  it('lets a person of a PSP sign in', async () => {
    const { pspId } = await w.makePsp('Example Pay');
    const made = (await person('chidi@example.com', '--account', pspId)).json();
    expect(made.user.accountId).toBe(pspId);
    const { items } = (await w.json('user', 'list', '--account', pspId)).json();
    expect(items.map((u: { email: string }) => u.email)).toEqual(['chidi@example.com']);
  });

  it('shows everybody in a table, and the password once, aside from the remark', async () => {
    const made = await w.plain('user', 'create', '--email', 'dayo@example.com', '--name', 'Dayo', '--role', 'reviewer');
    expect(made.stdout).toMatch(/^User +usr_\w+\n(.+\n)*State +invited\nSecond factor +no\nPassword +[\w-]{24}\n$/);
    expect(made.stderr).toContain('it is not shown again');
    const list = await w.plain('user', 'list');
    const accounts = await w.database.admin.query("SELECT id FROM accounts WHERE kind = 'operator'");
    expect(accounts).toHaveLength(1);
    expect(list.stdout).toMatch(/^usr_\w+ +dayo@example\.com +Dayo +psp_\w+ +reviewer +invited +no +- +-$/m);
    expect(list.stdout).not.toContain((/^Password +(\S+)$/m.exec(made.stdout) as RegExpExecArray)[1] as string);
  });

  describe('of somebody', () => {
    let made: { user: { userId: string }; password: string };
    const done = async (...args: string[]) => (await w.json('user', ...args, '--reason', 'because')).json();
    beforeAll(async () => {
      made = (await person('efe@example.com')).json();
    });

    it('disable keeps them out, by e-mail', async () => {
      expect((await done('disable', 'EFE@example.com')).state).toBe('DISABLED');
      expect((await signIn('efe@example.com', made.password)).status).toBe(401);
    });

    it('enable lets them in, by id', async () => {
      expect((await done('enable', made.user.userId)).state).toBe('ACTIVE');
      expect((await signIn('efe@example.com', made.password)).status).toBe(200);
    });

    it('role changes what they may do, and names who did it and why', async () => {
      expect((await done('role', made.user.userId, 'administrator')).role).toBe('administrator');
      const last = (await w.journal('user.updated')).filter((e) => e.data.userId === made.user.userId).at(-1);
      expect([last.actor.by, last.evidence.reason]).toEqual([me, 'because']);
    });

    it('reset-password gives another one-time password', async () => {
      const reset = await done('reset-password', 'efe@example.com');
      expect((await signIn('efe@example.com', made.password)).status).toBe(401);
      expect((await signIn('efe@example.com', reset.password)).status).toBe(200);
    });

    it('a second one is refused', async () => {
      const again = await person('efe@example.com');
      expect([again.exitCode, again.json().code]).toEqual([3, 'ALREADY_REGISTERED']);
    });
  });

  it('refuses a person who is not there', async () => {
    const nobody = await w.json('user', 'disable', 'nobody@example.com', '--reason', 'x');
    expect([nobody.exitCode, nobody.json().code]).toEqual([3, 'NOT_FOUND']);
    expect(nobody.json().message).toMatch(/^nobody signs in with the e-mail /);
  });

  it('refuses a role there is not, before it asks for anything else', async () => {
    const role = await w.plain('user', 'create', '--email', 'x@example.com', '--name', 'X', '--role', 'owner');
    expect([role.exitCode, role.stderr]).toEqual([2, expect.stringContaining('administrator, reviewer, auditor')]);
  });
});
