// All SQL on disputes, and their wire form.
import type { Dispute } from '../../core/dispute.ts';
import { accountWire, type PspId, toWire } from '../../core/ids.ts';
import { DisputeResource } from '../../entries/disputes.ts';
import { resourceOf } from '../../entries/schema.ts';
import type { FactLoader, RefKey } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { disputes } from '../../records/disputes.ts';
import { tableOf } from '../../records/table.ts';
import { row } from '../kernel/journal.ts';
import type { ListFilter } from '../kernel/list-filter.ts';

const table = tableOf(disputes);

export const disputeRow = (d: Dispute) => row('disputes', table.toRow(d));

/** Context under which evidence is sealed. */
export const disputePlace = (id: string): string => `disputes/${id}`;

/** Gate of a dispute: one per chargeback. Its revision is the dispute's version. */
export const disputeRef = (d: Pick<Dispute, 'psp' | 'account' | 'chargeback'>): RefKey => ({
  psp: d.psp,
  space: 'dispute',
  ref: d.chargeback,
  account: d.account,
});

const keyText = (k: { readonly psp: PspId; readonly ref: string }) => `${k.psp}|${k.ref}`;

export const disputeOf: FactLoader<RefKey, Dispute> = {
  name: 'dispute',
  text: keyText,
  async load(db, keys) {
    const found = await table.read(
      db,
      'JOIN unnest($1::uuid[], $2::uuid[]) AS k(p, c) ON disputes.psp_id = k.p AND disputes.chargeback_id = k.c',
      [keys.map((k) => k.psp), keys.map((k) => k.ref)],
    );
    return new Map(found.map((d) => [keyText({ psp: d.psp, ref: d.chargeback }), d]));
  },
};

export const findDispute = (db: Database, psp: PspId, id: string): Promise<Dispute | undefined> =>
  table.find(db, 'WHERE psp_id = $1 AND id = $2', [psp, id]);

/** The dispute of a chargeback, for the transaction's history. */
export const disputeAbout = (db: Database, psp: PspId, chargeback: string): Promise<Dispute | undefined> =>
  table.find(db, 'WHERE psp_id = $1 AND chargeback_id = $2', [psp, chargeback]);

/** Newest first. @param f.from, f.to times between which evidence is due, ISO UTC */
export const listDisputes = (db: Database, f: ListFilter<'chargeback' | 'state' | 'from' | 'to'>): Promise<Dispute[]> =>
  table.read(
    db,
    `WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::uuid IS NULL OR chargeback_id = $3)
       AND ($4::text IS NULL OR state = $4) AND ($5::timestamptz IS NULL OR evidence_due_at >= $5)
       AND ($6::timestamptz IS NULL OR evidence_due_at < $6) AND ($7::uuid IS NULL OR id < $7) ORDER BY id DESC LIMIT $8`,
    [f.psp, f.account, f.chargeback, f.state, f.from, f.to, f.before, f.limit],
  );

/** A chargeback that may be disputed, and the customer its evidence is about. */
export interface Disputable {
  readonly account: string;
  readonly transaction: string;
  readonly ref: string;
  readonly subject: string | null;
}

export async function findDisputable(db: Database, psp: PspId, chargeback: string): Promise<Disputable | undefined> {
  const [found] = await db.query<Disputable>(
    `SELECT c.account_id AS account, c.transaction_id AS transaction, t.ref, t.subject
     FROM chargebacks c JOIN transactions t ON t.psp_id = c.psp_id AND t.id = c.transaction_id
     WHERE c.psp_id = $1 AND c.id = $2`,
    [psp, chargeback],
  );
  return found;
}

/** The resource as returned and journalled, without sealed text. */
export const disputeResource = (d: Dispute) =>
  resourceOf(DisputeResource, d, {
    disputeId: toWire('dispute', d.id),
    chargebackId: toWire('chargeback', d.chargeback),
    transactionId: toWire('transaction', d.transaction),
    clientId: accountWire(d.psp, d.account),
    evidence: d.evidence.map(({ sealed: _, ...shown }) => shown),
  });
