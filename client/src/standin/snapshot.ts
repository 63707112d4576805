// The snapshot that stand-in answers rest on: its signature is checked before anything in it is believed.
import { openNote } from '../receipt/checkpoint.ts';

const head = 'assay stand-in snapshot 1';

export interface Snapshot {
  /** ISO UTC. */
  readonly madeAt: string;
  readonly validUntil: string;
  readonly accounts: ReadonlyMap<string, { readonly status: 'APPROVED' | 'DECLINED'; readonly reason: string | null }>;
}

interface Written {
  readonly madeAt: string;
  readonly validUntil: string;
  readonly accounts: readonly {
    readonly id: string;
    readonly status: 'APPROVED' | 'DECLINED';
    readonly reason: string | null;
  }[];
}

/**
 * @param key as getAuditKey gives it, fetched once and stored apart
 * @throws ReceiptError if the note is not signed with the key, was altered, or is no snapshot
 */
export async function openSnapshot(note: string, key: string): Promise<Snapshot> {
  const text = await openNote(note, key, 'snapshot');
  const [first, json = ''] = text.split('\n');
  if (first !== head) throw new TypeError('this is no stand-in snapshot that this version of the client can read');
  const { madeAt, validUntil, accounts } = JSON.parse(json) as Written;
  return { madeAt, validUntil, accounts: new Map(accounts.map(({ id, ...standing }) => [id, standing])) };
}
