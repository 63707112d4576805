// Logins of the file drop: all SQL on sftp_logins.
import type { PspId } from '../../core/ids.ts';
import type { FactLoader, RefKey, Row as TableRow } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import type { RowOf } from '../../records/define.ts';
import { sftpLogins } from '../../records/sftp-logins.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';
import { row } from '../kernel/journal.ts';
import type { ListFilter } from '../kernel/list-filter.ts';

const table = tableOf(sftpLogins);
export type SftpLogin = RecordOf<typeof sftpLogins>;

/** Finds a login of any PSP for signing in, only if it is active and neither its account nor the PSP is closed. */
export const findSftpLogin = (db: Database, username: string): Promise<SftpLogin | undefined> =>
  table.find(
    db,
    `WHERE username = $1 AND state = 'ACTIVE' AND NOT EXISTS (
       SELECT 1 FROM accounts a WHERE a.psp_id = sftp_logins.psp_id AND a.id IN (sftp_logins.account_id, sftp_logins.psp_id)
         AND a.operational_standing = 'CLOSED')`,
    [username],
  );

export async function findSftpLoginById(
  db: Database,
  id: string,
  reach: { psp?: PspId | undefined; account?: string | undefined },
): Promise<SftpLogin | undefined> {
  return table.find(
    db,
    'WHERE id = $1 AND ($2::uuid IS NULL OR psp_id = $2) AND ($3::uuid IS NULL OR account_id = $3)',
    [id, reach.psp, reach.account],
  );
}

/** Newest first. */
export const listSftpLogins = (db: Database, f: ListFilter): Promise<SftpLogin[]> =>
  table.read(
    db,
    `WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::uuid IS NULL OR id < $3)
     ORDER BY id DESC LIMIT $4`,
    [f.psp, f.account, f.before, f.limit],
  );

export async function countActiveLogins(db: Database, psp: PspId, account: string): Promise<number> {
  const [r] = await db.query<{ n: number }>(
    `SELECT count(*) AS n FROM sftp_logins WHERE psp_id = $1 AND account_id = $2 AND state = 'ACTIVE'`,
    [psp, account],
  );
  return r?.n ?? 0;
}

/** The ref whose revision counts the changes of a login. */
export const loginRef = (l: Pick<SftpLogin, 'psp' | 'id' | 'account'>): RefKey => ({
  psp: l.psp,
  space: 'sftp_login',
  ref: l.id,
  account: l.account,
});

export const loginRow = (l: SftpLogin): TableRow => row('sftp_logins', table.toRow(l));

export interface HeldLogin {
  readonly login: SftpLogin;
  /** The revision of `loginRef`. */
  readonly revision: number;
}

/** Loads a login for a command that changes it. */
export const heldLogins: FactLoader<Pick<SftpLogin, 'psp' | 'id'>, HeldLogin> = {
  name: 'sftp-login',
  text: (k) => `${k.psp}|${k.id}`,
  async load(db, keys) {
    const rows = await db.query<RowOf<typeof sftpLogins> & { revision: number }>(
      `SELECT ${table.columns('l')}, r.revision FROM unnest($1::uuid[], $2::uuid[]) AS k(p, i)
       JOIN sftp_logins l ON l.psp_id = k.p AND l.id = k.i
       JOIN refs r ON r.psp_id = l.psp_id AND r.space = 'sftp_login' AND r.ref = l.id::text AND r.account_id = l.account_id`,
      [keys.map((k) => k.psp), keys.map((k) => k.id)],
    );
    return new Map(rows.map((r) => [`${r.psp_id}|${r.id}`, { login: table.fromRow(r), revision: r.revision }]));
  },
};
