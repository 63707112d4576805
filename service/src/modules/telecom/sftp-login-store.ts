// Logins of the file drop: all SQL on sftp_logins.
import type { FactLoader, RefKey, Row as TableRow } from '../../platform/committer.ts';
import type { Database, Row } from '../../platform/database.ts';
import { row } from '../kernel/journal.ts';

export interface SftpKey {
  /** Type and base64 text, as OpenSSH writes a public key. */
  readonly key: string;
  /** SHA256:… as ssh-keygen -l shows it. */
  readonly fingerprint: string;
}

export interface SftpLogin {
  readonly psp: string;
  readonly id: string;
  readonly account: string;
  readonly username: string;
  readonly name: string;
  readonly passwordScrypt: string | null;
  readonly publicKeys: readonly SftpKey[];
  readonly state: 'ACTIVE' | 'REVOKED';
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

const columns = 'psp_id, id, account_id, username, name, password_scrypt, public_keys, state, created_at, revoked_at';

const fromRow = (r: Row): SftpLogin => ({
  psp: r.psp_id as string,
  id: r.id as string,
  account: r.account_id as string,
  username: r.username as string,
  name: r.name as string,
  passwordScrypt: r.password_scrypt as string | null,
  publicKeys: JSON.parse(r.public_keys as string) as SftpKey[],
  state: r.state as SftpLogin['state'],
  createdAt: r.created_at as string,
  revokedAt: r.revoked_at as string | null,
});

/** For signing in: of any PSP, and only while it is active and neither its account nor the PSP is closed. */
export async function findSftpLogin(db: Database, username: string): Promise<SftpLogin | undefined> {
  const [r] = await db.query(
    `SELECT ${columns} FROM sftp_logins l WHERE username = $1 AND state = 'ACTIVE' AND NOT EXISTS (
       SELECT 1 FROM accounts a WHERE a.psp_id = l.psp_id AND a.id IN (l.account_id, l.psp_id)
         AND a.operational_standing = 'CLOSED')`,
    [username],
  );
  return r && fromRow(r);
}

export async function findSftpLoginById(
  db: Database,
  id: string,
  reach: { psp?: string | undefined; account?: string | undefined },
): Promise<SftpLogin | undefined> {
  const [r] = await db.query(
    `SELECT ${columns} FROM sftp_logins
     WHERE id = $1 AND ($2::uuid IS NULL OR psp_id = $2) AND ($3::uuid IS NULL OR account_id = $3)`,
    [id, reach.psp ?? null, reach.account ?? null],
  );
  return r && fromRow(r);
}

/** Newest first. */
export async function listSftpLogins(
  db: Database,
  f: { psp: string; account?: string | undefined; before?: string | undefined; limit: number },
): Promise<SftpLogin[]> {
  const rows = await db.query(
    `SELECT ${columns} FROM sftp_logins
     WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::uuid IS NULL OR id < $3)
     ORDER BY id DESC LIMIT $4`,
    [f.psp, f.account ?? null, f.before ?? null, f.limit],
  );
  return rows.map(fromRow);
}

export async function countActiveLogins(db: Database, psp: string, account: string): Promise<number> {
  const [r] = await db.query<{ n: number }>(
    `SELECT count(*) AS n FROM sftp_logins WHERE psp_id = $1 AND account_id = $2 AND state = 'ACTIVE'`,
    [psp, account],
  );
  return r?.n ?? 0;
}

/** Counts what was done with a login. */
export const loginRef = (l: Pick<SftpLogin, 'psp' | 'id' | 'account'>): RefKey => ({
  psp: l.psp,
  space: 'sftp_login',
  ref: l.id,
  account: l.account,
});

export const loginRow = (l: SftpLogin): TableRow =>
  row('sftp_logins', {
    psp_id: l.psp,
    id: l.id,
    account_id: l.account,
    username: l.username,
    name: l.name,
    password_scrypt: l.passwordScrypt,
    public_keys: JSON.stringify(l.publicKeys),
    state: l.state,
    created_at: l.createdAt,
    revoked_at: l.revokedAt,
  });

export interface HeldLogin {
  readonly login: SftpLogin;
  /** Of its ref. */
  readonly revision: number;
}

/** A login for a change of it. */
export const heldLogins: FactLoader<Pick<SftpLogin, 'psp' | 'id'>, HeldLogin> = {
  name: 'sftp-login',
  text: (k) => `${k.psp}|${k.id}`,
  async load(db, keys) {
    const rows = await db.query(
      `SELECT l.*, r.revision FROM unnest($1::uuid[], $2::uuid[]) AS k(p, i)
       JOIN sftp_logins l ON l.psp_id = k.p AND l.id = k.i
       JOIN refs r ON r.psp_id = l.psp_id AND r.space = 'sftp_login' AND r.ref = l.id::text AND r.account_id = l.account_id`,
      [keys.map((k) => k.psp), keys.map((k) => k.id)],
    );
    return new Map(
      rows.map((r) => [`${r.psp_id}|${r.id}`, { login: fromRow(r), revision: r.revision as number }] as const),
    );
  },
};
