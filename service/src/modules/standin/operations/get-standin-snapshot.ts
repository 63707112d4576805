// GET /v1/standin/snapshot: what the client library may decide by while the service is out of reach, signed.
import { notFound } from '../../../core/refusal.ts';
import { type SnapshotAccount, snapshotHours, snapshotText, standinStatus } from '../../../core/standin/snapshot.ts';
import {
  type Account,
  clientId,
  findAccount,
  type HasAccounts,
  listAccounts,
  listedClient,
} from '../../accounts/index.ts';
import { openAuditKeys, signedFor } from '../../audit/index.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';

/** Clients of one snapshot; a PSP with more names the one it asks about. */
const mostAccounts = 5_000;

export const getStandinSnapshot = operation({
  id: 'getStandinSnapshot',
  method: 'GET',
  path: '/v1/standin/snapshot',
  tag: 'Transactions',
  summary: 'A signed snapshot to decide by while the service is out of reach',
  description: `For the client library's stand-in answers: whether payments of each account would be approved, for ${snapshotHours} hours. A client's key gets its own account; a PSP's key that of the client named by x-client-id, else its own and those of its clients. Signed with the key of the PSP's log (getAuditKey).`,
  audience: ['psp', 'client'],
  content: Named('StandinSnapshot', 'A signed snapshot of standings.', {
    snapshot: Type.String({ description: 'A signed note: a heading, the snapshot as JSON, the signature.' }),
    madeAt: Type.String({ description: 'When it was made, ISO 8601 UTC.' }),
    validUntil: Type.String({ description: 'It may not be decided by from this moment on, ISO 8601 UTC.' }),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'settings' | 'clock' | 'db' | 'vault' | 'rates'> & HasAccounts) {
    const { principal, now } = call;
    const only = await listedClient(s, call);
    const madeAt = new Date(now).toISOString();
    const validUntil = new Date(now + snapshotHours * 3_600_000).toISOString();
    const psp = await findAccount(s.db, principal.psp, principal.psp);
    const one = only === undefined ? undefined : await findAccount(s.db, principal.psp, only);
    if (!psp || (only !== undefined && !one)) throw notFound();
    const listed = one ? [one] : [psp, ...(await clientsOf(s, psp))];
    const accounts = listed.map((a): SnapshotAccount => {
      const standing = a.id === psp.id ? psp : a;
      return { id: clientId(a), ...standinStatus(standing, psp, s.settings.requiredLevel, { madeAt, validUntil }) };
    });
    const keys = await openAuditKeys(s.db, s.vault, s.clock, s.settings.baseUrl);
    const text = snapshotText({ madeAt, validUntil, taxDataset: s.rates.book.version, accounts });
    const snapshot = signedFor(keys, principal.psp, () => text);
    return {
      message: 'snapshot',
      content: { snapshot, madeAt, validUntil },
    };
  },
});

async function clientsOf(s: Needs<'db'>, psp: Account): Promise<Account[]> {
  const found: Account[] = [];
  for (let before: string | undefined; found.length < mostAccounts; ) {
    const page = await listAccounts(s.db, { psp: psp.psp, kind: 'client', before, limit: 500 });
    found.push(...page);
    before = page.at(-1)?.id;
    if (page.length < 500) break;
  }
  return found.slice(0, mostAccounts);
}
