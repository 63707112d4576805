// Creates logins of the file drop, adds keys to them and revokes them. Each is a command, so that a change and its
// journal entry are one commit, and no login works that is not in the journal.

import { type PspId, toWire } from '../../core/ids.ts';
import { notFound, orThrow, Refusal, refuse, said } from '../../core/refusal.ts';
import { Login } from '../../entries/cdrs.ts';
import { resourceOf } from '../../entries/schema.ts';
import { need } from '../../platform/committer.ts';
import { makePassword } from '../../platform/passwords.ts';
import { clientId, findAccount, type Reach } from '../accounts/index.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { readPublicKey } from './sftp-keys.ts';
import {
  countActiveLogins,
  findSftpLoginById,
  heldLogins,
  loginRef,
  loginRow,
  type SftpLogin,
} from './sftp-login-store.ts';
import { sftpPasswords } from './sftp-passwords.ts';

const mostLogins = 20;
const mostKeys = 10;

/** A login as shown and journalled: key fingerprints only, and no password hash. */
export const loginResource = (l: SftpLogin) =>
  resourceOf(Login, l, {
    loginId: toWire('sftpLogin', l.id),
    clientId: clientId({ psp: l.psp, id: l.account }),
    password: l.passwordScrypt !== null,
    publicKeys: l.publicKeys.map((k) => k.fingerprint),
  });

/** Makes a login; without a public key it always gets a password. @throws Refusal */
export async function createSftpLogin(
  s: Needs<'ids' | 'db' | 'committer'>,
  principal: Principal,
  whose: { psp: PspId; account: string },
  asked: { name: string; publicKey?: string | undefined; password?: boolean | undefined },
  now: number,
): Promise<{ login: SftpLogin; password: string | null }> {
  if (!(await findAccount(s.db, whose.psp, whose.account))) throw notFound();
  const key = asked.publicKey === undefined ? undefined : orThrow(readPublicKey(asked.publicKey));
  if ((await countActiveLogins(s.db, whose.psp, whose.account)) >= mostLogins)
    throw refuse('LIMIT_REACHED', said`the account has ${mostLogins} logins; revoke one that is not needed`);
  const password = (asked.password ?? key === undefined) || key === undefined ? makePassword() : null;
  const id = s.ids.next();
  const login: SftpLogin = {
    psp: whose.psp,
    id,
    account: whose.account,
    // The end of the id is random and reveals nothing about the account.
    username: `cdr-${toWire('sftpLogin', id).slice(-12)}`,
    name: asked.name,
    passwordScrypt: password === null ? null : await sftpPasswords.hash(password),
    publicKeys: key ? [key] : [],
    state: 'ACTIVE',
    createdAt: new Date(now).toISOString(),
    revokedAt: null,
  };
  await s.committer.submit({
    account: login.account,
    keys: [`sftp|${id}`],
    needs: [],
    decide: () => ({
      reply: undefined,
      writes: {
        refsNew: [{ ...loginRef(login), target: id, revision: 1 }],
        rows: [loginRow(login), entryRow(s, principal, 'sftp_login.issued', login, 1, now)],
      },
    }),
  });
  return { login, password };
}

/** Repeating it with the same key changes nothing. @throws Refusal */
export async function addKeyToLogin(
  s: Needs<'ids' | 'db' | 'committer'>,
  principal: Principal,
  reach: Reach,
  id: string | undefined,
  publicKey: string,
  now: number,
): Promise<SftpLogin> {
  const login = await loginOf(s, reach, id);
  const key = orThrow(readPublicKey(publicKey));
  return changeLogin(s, principal, login, { kind: 'sftp_login.updated', now }, (before) => {
    if (before.state !== 'ACTIVE') return refuse('STATE_CONFLICT', 'the login is revoked; create another');
    if (before.publicKeys.some((k) => k.key === key.key)) return before;
    if (before.publicKeys.length >= mostKeys)
      return refuse('LIMIT_REACHED', said`the login has ${mostKeys} keys; create another login`);
    return { ...before, publicKeys: [...before.publicKeys, key] };
  });
}

/** Revokes a login: no sign-in from now on, and its sessions end within seconds. Repeating it is harmless. */
export async function revokeSftpLogin(
  s: Needs<'ids' | 'db' | 'committer'>,
  principal: Principal,
  reach: Reach,
  id: string | undefined,
  reason: string,
  now: number,
): Promise<SftpLogin> {
  const login = await loginOf(s, reach, id);
  const revokedAt = new Date(now).toISOString();
  return changeLogin(s, principal, login, { kind: 'sftp_login.revoked', now, reason }, (before) =>
    before.state === 'REVOKED' ? before : { ...before, state: 'REVOKED', revokedAt },
  );
}

/** @param change returns the login itself if there is nothing to change; that is not journalled */
function changeLogin(
  s: Needs<'ids' | 'committer'>,
  principal: Principal,
  login: SftpLogin,
  what: { readonly kind: LoginEntry; readonly now: number; readonly reason?: string },
  change: (before: SftpLogin) => SftpLogin | Refusal,
): Promise<SftpLogin> {
  const held = need(heldLogins, login);
  return s.committer.submit<SftpLogin>({
    account: login.account,
    keys: [`sftp|${login.id}`],
    needs: [held],
    decide(facts) {
      const found = facts(held);
      if (!found) return notFound();
      const { login: before, revision } = found;
      const after = change(before);
      if (after instanceof Refusal) return after;
      if (after === before) return { reply: before };
      const entry = entryRow(s, principal, what.kind, after, revision + 1, what.now, what.reason);
      return {
        reply: after,
        writes: {
          refsHeld: [{ ...loginRef(before), revision }],
          rows: [loginRow(after), entry],
        },
      };
    },
  });
}

async function loginOf(s: Needs<'db'>, reach: Reach, id: string | undefined): Promise<SftpLogin> {
  const login = id && (await findSftpLoginById(s.db, id, reach));
  if (!login) throw notFound();
  return login;
}

type LoginEntry = 'sftp_login.issued' | 'sftp_login.updated' | 'sftp_login.revoked';

const entryRow = (
  s: Needs<'ids'>,
  principal: Principal,
  kind: LoginEntry,
  login: SftpLogin,
  version: number,
  now: number,
  reason?: string,
) =>
  journalRow(s, principal, new Date(now).toISOString(), {
    kind,
    psp: login.psp,
    account: login.account,
    resourceId: login.id,
    version,
    data: loginResource(login),
    ...(reason === undefined ? {} : { evidence: { reason } }),
  });
