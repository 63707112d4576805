// The first start over an empty database: one PSP, so that a newcomer can call the API at once. Of processes that
// start at the same moment one makes it.
import { nobody } from '../../core/ids.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Principal } from '../kernel/principal.ts';
import type { HasAccounts } from './accounts.ts';
import { createAccount } from './administer.ts';

/** Who acts when the service itself does. */
export const system: Principal = {
  kind: 'operator',
  psp: nobody,
  account: nobody,
  actor: 'system',
};

/** Whoever takes it makes the PSP. */
const first = { psp: system.psp, space: 'first-start', ref: 'psp', account: system.account };

/** Creates "Demo PSP" when there is no PSP yet; returns its key, which is not kept. */
export async function firstStart(
  s: Needs<'settings' | 'clock' | 'ids' | 'db' | 'committer' | 'vault' | 'subjects'> & HasAccounts,
): Promise<{ apiKey: string } | undefined> {
  const [any] = await s.db.query("SELECT 1 FROM accounts WHERE kind = 'psp' LIMIT 1");
  if (any) return undefined;
  const id = s.ids.next();
  try {
    return await createAccount(
      s,
      system,
      { psp: id, id, kind: 'psp', name: 'Demo PSP', country: 'NG', once: first },
      s.clock(),
    );
  } catch (e) {
    if (e instanceof Refusal && e.code === 'ALREADY_REGISTERED') return undefined;
    throw e;
  }
}
