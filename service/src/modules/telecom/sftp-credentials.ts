// Logins of the file drop: made, given a further key, revoked. What opens a drop is journalled before it opens it,
// what closes it is closed before it is journalled; so nobody ever signs in with what no journal tells of.
import { toWire } from '../../core/ids.ts';
import { notFound, Refusal, refuse } from '../../core/refusal.ts';
import { need, type RefKey } from '../../platform/committer.ts';
import { makePassword } from '../../platform/passwords.ts';
import { clientId, findAccount } from '../accounts/index.ts';
import { journalRow } from '../kernel/journal.ts';
import { refHeld } from '../kernel/refs.ts';
import type { Principal, Services } from '../kernel/services.ts';
import { readPublicKey } from './sftp-keys.ts';
import {
  addSftpKey,
  countActiveLogins,
  findSftpLoginById,
  insertSftpLogin,
  revokeSftpRow,
  type SftpKey,
  type SftpLogin,
} from './sftp-login-store.ts';
import { sftpPasswords } from './sftp-passwords.ts';

const mostLogins = 20;
const mostKeys = 10;

/** Whose logins a call may reach. */
export interface LoginReach {
  readonly psp: string | undefined;
  readonly account?: string | undefined;
}

/** A login as shown and journalled, without what opens it. */
export const loginResource = (l: SftpLogin) => ({
  loginId: toWire('sftpLogin', l.id),
  clientId: clientId({ psp: l.psp, id: l.account }),
  username: l.username,
  name: l.name,
  password: l.passwordScrypt !== null,
  publicKeys: l.publicKeys.map((k) => k.fingerprint),
  state: l.state,
  createdAt: l.createdAt,
  revokedAt: l.revokedAt,
});

/** Makes a login; without a public key it always gets a password. @throws Refusal */
export async function createSftpLogin(
  s: Services,
  principal: Principal,
  whose: { psp: string; account: string },
  asked: { name: string; publicKey?: string | undefined; password?: boolean | undefined },
  now: number,
): Promise<{ login: SftpLogin; password: string | null }> {
  if (!(await findAccount(s.db, whose.psp, whose.account))) throw notFound();
  const key = asked.publicKey === undefined ? undefined : keyOf(asked.publicKey);
  if ((await countActiveLogins(s.db, whose.psp, whose.account)) >= mostLogins)
    throw refuse('LIMIT_REACHED', `the account has ${mostLogins} logins; revoke one that is not needed`);
  const password = (asked.password ?? key === undefined) || key === undefined ? makePassword() : null;
  const id = s.ids.next();
  const login: SftpLogin = {
    psp: whose.psp,
    id,
    account: whose.account,
    // The end of the id is random; it tells nothing of the account.
    username: `cdr-${toWire('sftpLogin', id).slice(-12)}`,
    name: asked.name,
    passwordScrypt: password === null ? null : await sftpPasswords.hash(password),
    publicKeys: key ? [key] : [],
    state: 'ACTIVE',
    createdAt: new Date(now).toISOString(),
    revokedAt: null,
  };
  await journal(s, principal, 'sftp_login.issued', login, now);
  await insertSftpLogin(s.db, login);
  return { login, password };
}

/** @throws Refusal; VERSION_CONFLICT when the login was changed at the same moment */
export async function addKeyToLogin(
  s: Services,
  principal: Principal,
  reach: LoginReach,
  id: string | undefined,
  publicKey: string,
  now: number,
): Promise<SftpLogin> {
  const before = await loginOf(s, reach, id);
  if (before.state !== 'ACTIVE') throw refuse('STATE_CONFLICT', 'the login is revoked; create another');
  const key = keyOf(publicKey);
  if (before.publicKeys.some((k) => k.key === key.key)) return before;
  if (before.publicKeys.length >= mostKeys)
    throw refuse('LIMIT_REACHED', `the login has ${mostKeys} keys; create another login`);
  const after = { ...before, publicKeys: [...before.publicKeys, key] };
  await journal(s, principal, 'sftp_login.updated', after, now);
  if (!(await addSftpKey(s.db, before, key)))
    throw refuse('VERSION_CONFLICT', 'the login was changed at the same moment; look at it and try again');
  return after;
}

/** Revokes a login: no sign-in from now on, and its sessions end within seconds. Repeating it is harmless. */
export async function revokeSftpLogin(
  s: Services,
  principal: Principal,
  reach: LoginReach,
  id: string | undefined,
  reason: string,
  now: number,
): Promise<SftpLogin> {
  const before = await loginOf(s, reach, id);
  const revokedAt = await revokeSftpRow(s.db, before.psp, before.id, new Date(now).toISOString());
  const after: SftpLogin = { ...before, state: 'REVOKED', revokedAt };
  await journal(s, principal, 'sftp_login.revoked', after, now, reason);
  return after;
}

async function loginOf(s: Services, reach: LoginReach, id: string | undefined): Promise<SftpLogin> {
  const login = id && (await findSftpLoginById(s.db, id, reach));
  if (!login) throw notFound();
  return login;
}

function keyOf(text: string): SftpKey {
  const key = readPublicKey(text);
  if (key instanceof Refusal) throw key;
  return key;
}

/** Journals what happens to a login; its end once, however often it is asked for. */
async function journal(
  s: Services,
  principal: Principal,
  kind: 'sftp_login.issued' | 'sftp_login.updated' | 'sftp_login.revoked',
  login: SftpLogin,
  now: number,
  reason?: string,
): Promise<void> {
  const key = (space: string): RefKey => ({ psp: login.psp, space, ref: login.id, account: login.account });
  // Its ref counts a login's entries, and another stands for its end.
  const counted = need(refHeld, key('sftp_login'), kind === 'sftp_login.issued');
  const ended = need(refHeld, key('sftp_login_end'), true);
  await s.committer.submit({
    account: login.account,
    keys: [`sftp|${login.id}`],
    needs: [counted, ended],
    decide(facts) {
      if (facts(ended)) return { reply: undefined };
      const revision = facts(counted)?.revision ?? 0;
      const own = key('sftp_login');
      return {
        reply: undefined,
        writes: {
          accounts: [],
          ...(revision > 0 ? { refsHeld: [{ ...own, revision }] } : {}),
          refsNew: [
            ...(revision > 0 ? [] : [{ ...own, target: login.id, revision: 1 }]),
            ...(kind === 'sftp_login.revoked' ? [{ ...key('sftp_login_end'), target: s.ids.next(), revision: 1 }] : []),
          ],
          rows: [
            journalRow(s, principal, new Date(now).toISOString(), {
              kind,
              psp: login.psp,
              account: login.account,
              resourceId: login.id,
              version: revision + 1,
              data: loginResource(login),
              ...(reason === undefined ? {} : { evidence: { reason } }),
            }),
          ],
        },
      };
    },
  });
}
