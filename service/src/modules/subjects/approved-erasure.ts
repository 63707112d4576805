// The erasure of a person as it is proposed and approved: keyed hashes in place of all that the person is known by.
import { accountWire } from '../../core/ids.ts';
import { canonical } from '../../core/request.ts';
import type { Needs } from '../kernel/needs.ts';
import { type Asking, type Named, pspOf } from './erase.ts';
import { readIdentities } from './identity.ts';

export interface ProposedErasure {
  /** Names the PSP and nobody. */
  readonly subject: string;
  readonly content: string;
}

/** @throws FIELD_INVALID, NOT_FOUND */
export async function proposedErasure(
  s: Needs<'db' | 'vault' | 'subjects'>,
  call: Asking,
  named: Named,
): Promise<ProposedErasure> {
  const psp = await pspOf(s, call, named);
  const identities = readIdentities(s, psp, named.subjects);
  const pspId = accountWire(psp, psp);
  const subjects = [
    ...new Set(identities.flatMap((i) => [...i.subjects, ...(i.address === undefined ? [] : [i.address])])),
  ].sort();
  const content = canonical({ pspId, subjects });
  return { subject: `${pspId} ${s.vault.blind(content).slice(0, 12)}`, content };
}
