// The first start on an empty database: creates one PSP, so that a newcomer can call the API at once. If several
// processes start at the same moment, one creates it.
import { Refusal } from '../../core/refusal.ts';
import type { Needs } from '../kernel/needs.ts';
import { system } from '../kernel/principal.ts';
import type { HasAccounts } from './accounts.ts';
import { createAccount } from './administer.ts';

/** The process that takes this ref creates the PSP. */
const first = { psp: system.psp, space: 'first-start', ref: 'psp', account: system.account };

/** Creates "Demo PSP" if there is no PSP yet; returns its key, which is not stored. */
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
