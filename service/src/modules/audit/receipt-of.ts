// The receipt of a record as it is returned: every journal entry about it, each with its proof, under one signed checkpoint.
import { makeReceipt, receiptFormat } from '../../core/audit/receipt.ts';
import type { PspId } from '../../core/ids.ts';
import { holdsPrivateReason } from '../../core/public-standing.ts';
import { notFound, refuse } from '../../core/refusal.ts';
import { unknownSchema } from '../../entries/read.ts';
import { Named, type Needs, Type } from '../kernel/operation.ts';
import { findPortionOf } from '../telecom/index.ts';
import { entriesOf, findLastCheckpoint } from './audit-store.ts';
import { proveInclusion } from './stored-tree.ts';

/** The next checkpoint is due in about this time. */
const retryAfterS = 2;

export const notSealed = () =>
  refuse('NOT_SEALED', 'this was recorded but is not sealed yet; ask again in two seconds', retryAfterS);

const Hash = Type.String({ description: '32 bytes as base64.' });

const Entry = Named('ReceiptEntry', 'An entry of the journal in the exact text that is sealed.', {
  psp: Type.String({ description: 'The PSP as a UUID.' }),
  seq: Type.Integer({ description: "Number in the PSP's journal; the leaf index is `seq - 1`.", minimum: 1 }),
  id: Type.String({ description: 'The entry as a UUID.' }),
  kind: Type.String({ description: 'Kind of event, for example `transaction.created`.' }),
  account: Type.String({ description: 'The account it concerns, as a UUID.' }),
  resource: Type.String({ description: 'The record it is about, as a UUID.' }),
  body: Type.String({ description: 'The exact text that is hashed: JSON with what was recorded, by whom and why.' }),
});

const Portion = Type.Object(
  {
    record: Type.String({ description: 'Its id as a UUID.' }),
    text: Type.String({
      description: "The exact text that was recorded; its SHA-256 is in the record's line.",
    }),
    records: Type.Array(Type.String(), {
      description:
        'One line per record of this part of the file: id, `cdr_id` and SHA-256. The SHA-256 of these lines, each with a line end, is `recordsSha256` in the body of the entry.',
    }),
  },
  { $id: 'ReceiptPortion', description: 'Only for a call detail record that came in a file.' },
);

export const ReceiptContent = Named('Receipt', 'Proof that a record is in the sealed journal.', {
  format: Type.Literal(receiptFormat, { description: 'Name and version of the receipt format.' }),
  entries: Type.Array(
    Named('ProvenEntry', 'An entry with its inclusion proof.', { entry: Entry, proof: Type.Array(Hash) }),
    { description: 'The entries about the record, each with its proof.' },
  ),
  checkpoint: Type.String({ description: 'A signed note: log, size, root hash, signature.' }),
  portion: Type.Optional(Portion),
});

export interface ReceiptOf {
  readonly psp: PspId;
  /** UUID of the record; undefined where it is none. */
  readonly id: string | undefined;
  /** Of a call detail record, its UUID. */
  readonly cdr?: string | undefined;
  /** The account it must belong to; undefined for any. */
  readonly own: string | undefined;
  /** Whether private reasons may be shown. */
  readonly privately: boolean;
}

/** @throws NOT_FOUND, NOT_SEALED, RECEIPT_WITHHELD */
export async function receiptOf(s: Needs<'db'>, { psp, id, cdr, own, privately }: ReceiptOf) {
  const about = id === undefined ? [] : await entriesOf(s.db, psp, id, own);
  const portion = about.length === 0 && cdr !== undefined ? await findPortionOf(s.db, psp, cdr, own) : undefined;
  const entries = portion ? [portion.entry] : about;
  const last = entries.at(-1);
  if (!last) throw notFound();
  if (!privately && entries.some((e) => unknownSchema(e.body) !== undefined || holdsPrivateReason(e.body)))
    throw refuse(
      'RECEIPT_WITHHELD',
      'the receipt of this record is given to operators of the service only; ask them for it',
    );
  const sealed = await findLastCheckpoint(s.db, psp);
  if (!sealed || sealed.size < last.seq) throw notSealed();
  const seqs = entries.map((e) => e.seq);
  const proofs = await proveInclusion(s.db, sealed, seqs);
  return makeReceipt(
    entries.map((entry, i) => ({ entry, proof: proofs[i] as (typeof proofs)[number] })),
    sealed.note,
    cdr && portion ? { record: cdr, text: portion.text, records: portion.records } : undefined,
  );
}
