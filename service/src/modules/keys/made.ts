// What a key made that outlives it: keys, people, file drop logins, webhook addresses and clients, and what those keys and
// people made in turn. Found by the actor of journal entries.
import { type AccountId, accountWire, type IdKind, type PspId, timeOfId, toWire } from '../../core/ids.ts';
import { refuse, said } from '../../core/refusal.ts';
import { readEntry, readEnvelope } from '../../entries/read.ts';
import type { Database } from '../../platform/database.ts';

const most = 10_000;

/**
 * The type of thing that a journal entry shows to have been made, by the entry's kind. A person whose password was reset
 * counts too, and one who was let in again or given a role.
 */
const kinds = {
  'client.created': 'client',
  'client.updated': 'webhook',
  'key.issued': 'key',
  'sftp_login.issued': 'sftpLogin',
  'sftp_login.updated': 'sftpLogin',
  'user.created': 'user',
  'user.password_changed': 'user',
} as const satisfies Record<string, IdKind>;
type MadeKind = (typeof kinds)[keyof typeof kinds];

/** Words for the kinds in replies. */
export const madeTypes = {
  client: 'client',
  webhook: 'webhook',
  key: 'key',
  sftpLogin: 'login',
  user: 'person',
} as const;

export interface Made {
  readonly kind: MadeKind;
  readonly id: string;
  readonly psp: PspId;
  readonly account: AccountId;
  /** The key's or person's id, `key_…` or `usr_…`. */
  readonly by: string;
  readonly at: string;
  readonly name: string;
  /** Whether it still works. */
  readonly active: boolean;
}

interface Found extends Omit<Made, 'name' | 'active'> {}

/**
 * Everything that the key made from a moment on, oldest first.
 * @param sinceMs milliseconds since the epoch
 * @throws LIMIT_REACHED
 */
export async function madeBy(db: Database, keyId: string, sinceMs: number, now: number): Promise<Made[]> {
  const found = new Map<string, Found>();
  /** Actors, each with the moment from which what they did counts. */
  const followed = new Map([[toWire('key', keyId), sinceMs]]);
  for (let open = new Map(followed); open.size > 0; ) {
    const next = new Map<string, number>();
    for (const made of [...(await entriesOf(db, open)), ...(await letInBy(db, open))]) {
      // Of a webhook address all entries are kept: one of them is that of its creation.
      found.set(`${made.kind}|${made.id}|${made.kind === 'webhook' ? made.at : ''}`, made);
      if (made.kind !== 'key' && made.kind !== 'user') continue;
      const [actor, atMs] = [toWire(made.kind, made.id), Date.parse(made.at)];
      if (atMs >= (followed.get(actor) ?? Number.POSITIVE_INFINITY)) continue;
      followed.set(actor, atMs);
      next.set(actor, atMs);
    }
    if (found.size > most) throw tooMany();
    open = next;
  }
  const made = await described(db, [...found.values()], now);
  return made.sort((a, b) => (a.at < b.at ? -1 : 1));
}

const tooMany = () =>
  refuse(
    'LIMIT_REACHED',
    said`the key made more than ${most} things since then; name a later moment and go on from there`,
  );

/** The lowest UUIDv7 of a moment. */
const firstIdAt = (ms: number): string => {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

/**
 * People whom the actors let in again or gave a role. Asked by the people, who are few: entries of this kind are in no index of
 * makers.
 */
async function letInBy(db: Database, actors: ReadonlyMap<string, number>): Promise<Found[]> {
  const rows = await db.query<{ id: string; psp_id: string; account_id: string; resource_id: string; body: string }>(
    `SELECT j.id, j.psp_id, j.account_id, j.resource_id, j.body
     FROM users u JOIN journal j ON j.psp_id = u.psp_id AND j.resource_id = u.id
     WHERE j.kind = 'user.updated' AND j.id >= $2
       AND split_part(split_part(j.body, '"by":"', 2), '"', 1) = ANY ($1)
     ORDER BY j.id LIMIT $3`,
    [[...actors.keys()], firstIdAt(Math.min(...actors.values())), most + 1],
  );
  if (rows.length > most) throw tooMany();
  return rows.flatMap((r) => {
    const { data, actor } = readEntry(r.body, ['user.updated/1']);
    const atMs = timeOfId(r.id);
    if (data.state !== 'ACTIVE' || atMs < (actors.get(actor.by) ?? 0)) return [];
    const at = new Date(atMs).toISOString();
    return [{ kind: 'user' as const, id: r.resource_id, psp: r.psp_id, account: r.account_id, by: actor.by, at }];
  });
}

async function entriesOf(db: Database, actors: ReadonlyMap<string, number>): Promise<Found[]> {
  // The index journal_by_maker has the actors of these kinds of entries only.
  const rows = await db.query<{
    id: string;
    psp_id: string;
    account_id: string;
    kind: keyof typeof kinds;
    resource_id: string;
    by: string;
    body: string | null;
  }>(
    `SELECT id, psp_id, account_id, kind, resource_id, split_part(split_part(body, '"by":"', 2), '"', 1) AS by,
       CASE WHEN kind = 'client.updated' THEN body END AS body
     FROM journal
     WHERE split_part(split_part(body, '"by":"', 2), '"', 1) = ANY ($1) AND id >= $2
       AND kind IN ('client.created', 'client.updated', 'key.issued', 'sftp_login.issued', 'sftp_login.updated',
         'user.created', 'user.password_changed')
     ORDER BY id LIMIT $3`,
    [[...actors.keys()], firstIdAt(Math.min(...actors.values())), most + 1],
  );
  if (rows.length > most) throw tooMany();
  return rows.flatMap((r) => {
    const atMs = timeOfId(r.id);
    if (atMs < (actors.get(r.by) ?? 0)) return [];
    const made = { psp: r.psp_id, account: r.account_id, by: r.by, at: new Date(atMs).toISOString() };
    if (r.body === null) return [{ ...made, kind: kinds[r.kind], id: r.resource_id }];
    const { rows: written = {}, timestamp } = readEnvelope(r.body);
    const id = Object.keys(written).find((name) => name.startsWith('webhooks/'));
    return id === undefined
      ? []
      : [{ ...made, at: timestamp, kind: 'webhook' as const, id: id.slice('webhooks/'.length) }];
  });
}

/** What is made, with its name and whether it still works. An entry about a webhook counts if it is that of its creation. */
async function described(db: Database, found: readonly Found[], now: number): Promise<Made[]> {
  const ids = (kind: MadeKind) => found.filter((m) => m.kind === kind).map((m) => m.id);
  const rows = await db.query<{ kind: MadeKind; id: string; name: string; active: boolean; created_at: string }>(
    `SELECT 'key' AS kind, id, name, revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $6) AS active, created_at
       FROM api_keys WHERE id = ANY ($1::uuid[])
     UNION ALL SELECT 'user', id, email, state = 'ACTIVE', created_at FROM users WHERE id = ANY ($2::uuid[])
     UNION ALL SELECT 'sftpLogin', id, name, state = 'ACTIVE', created_at FROM sftp_logins WHERE id = ANY ($3::uuid[])
     UNION ALL SELECT 'webhook', id, url, state <> 'DELETED', created_at FROM webhooks WHERE id = ANY ($4::uuid[])
     UNION ALL SELECT 'client', id, name, operational_standing <> 'CLOSED', created_at FROM accounts
       WHERE id = ANY ($5::uuid[])`,
    [ids('key'), ids('user'), ids('sftpLogin'), ids('webhook'), ids('client'), new Date(now).toISOString()],
  );
  const known = new Map(rows.map((r) => [`${r.kind}|${r.id}`, r]));
  return found.flatMap((m) => {
    const r = known.get(`${m.kind}|${m.id}`);
    if (!r || (m.kind === 'webhook' && r.created_at !== m.at)) return [];
    return [{ ...m, name: r.name, active: r.active }];
  });
}

/** The reply form of something that a key made. */
export const madeResource = (m: Made) => ({
  type: madeTypes[m.kind],
  id: m.kind === 'client' ? accountWire(m.psp, m.id) : toWire(m.kind, m.id),
  clientId: accountWire(m.psp, m.account),
  name: m.name,
  madeBy: m.by,
  madeAt: m.at,
  active: m.active,
});
