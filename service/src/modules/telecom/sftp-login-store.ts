// Logins of the file drop: all SQL on sftp_logins.
import type { Database, Row } from '../../platform/database.ts';

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

export async function insertSftpLogin(db: Database, l: SftpLogin): Promise<void> {
  await db.query(
    `INSERT INTO sftp_logins (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
    [
      l.psp,
      l.id,
      l.account,
      l.username,
      l.name,
      l.passwordScrypt,
      JSON.stringify(l.publicKeys),
      l.state,
      l.createdAt,
      l.revokedAt,
    ],
  );
}

/** @returns whether the login still stood as it was read; else nothing was changed */
export async function addSftpKey(db: Database, before: SftpLogin, key: SftpKey): Promise<boolean> {
  const rows = await db.query(
    `UPDATE sftp_logins SET public_keys = $4
     WHERE psp_id = $1 AND id = $2 AND state = 'ACTIVE' AND public_keys = $3 RETURNING id`,
    [before.psp, before.id, JSON.stringify(before.publicKeys), JSON.stringify([...before.publicKeys, key])],
  );
  return rows.length > 0;
}

/** @returns when it was revoked, which for a login revoked before stays as it was */
export async function revokeSftpRow(db: Database, psp: string, id: string, at: string): Promise<string> {
  const [r] = await db.query<{ revoked_at: string }>(
    `UPDATE sftp_logins SET state = 'REVOKED', revoked_at = coalesce(revoked_at, $3)
     WHERE psp_id = $1 AND id = $2 RETURNING revoked_at`,
    [psp, id, at],
  );
  return r?.revoked_at ?? at;
}
