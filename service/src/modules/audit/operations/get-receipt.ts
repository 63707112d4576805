// The receipt of a record: every journal entry about it, each with its proof, under one signed checkpoint.
import { Type } from 'typebox';
import { makeReceipt, receiptFormat } from '../../../core/audit/receipt.ts';
import { fromWire, type IdKind } from '../../../core/ids.ts';
import { holdsPrivateReason } from '../../../core/public-standing.ts';
import { notFound, refuse } from '../../../core/refusal.ts';
import { unknownSchema } from '../../../entries/read.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Named, operation } from '../../kernel/operation.ts';
import { findPortionOf } from '../../telecom/index.ts';
import { entriesOf, findLastCheckpoint } from '../audit-store.ts';
import { proveInclusion } from '../stored-tree.ts';

/** Kinds of records with receipts; their entries name the account they are about. */
const kinds: readonly IdKind[] = ['transaction', 'basket', 'wager', 'payout', 'chargeback', 'cdr', 'erasure'];

/** The next checkpoint is due in about this time. */
const retryAfterS = 2;

export const notSealed = () =>
  refuse('NOT_SEALED', 'this was recorded but is not sealed yet; ask again in two seconds', retryAfterS);

const Hash = Type.String({ description: '32 bytes as base64.' });

const Entry = Named('ReceiptEntry', 'An entry of the journal in the exact text that is sealed.', {
  psp: Type.String(),
  seq: Type.Integer({ description: "Number in the PSP's journal; the leaf index is `seq - 1`.", minimum: 1 }),
  id: Type.String(),
  kind: Type.String(),
  account: Type.String(),
  resource: Type.String(),
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

export const getReceipt = operation({
  id: 'getReceipt',
  method: 'GET',
  path: '/v1/audit/receipt/:recordId',
  tag: 'Audit',
  summary: 'Receipt of a transaction, basket, wager, payout, chargeback, call detail record or erasure',
  description:
    'All journal entries about the record so far, each with its inclusion proof, and the signed checkpoint they are proved against. `assay verify-receipt` checks a receipt without the service. Personal data in it is sealed. For a call detail record from a file, the entry covers a part of the file, and `portion` leads from there to the record.',
  audience: ['psp', 'client'],
  content: Named('Receipt', 'Proof that a record is in the sealed journal.', {
    format: Type.Literal(receiptFormat),
    entries: Type.Array(
      Named('ProvenEntry', 'An entry with its inclusion proof.', { entry: Entry, proof: Type.Array(Hash) }),
    ),
    checkpoint: Type.String({ description: 'A signed note: log, size, root hash, signature.' }),
    portion: Type.Optional(Portion),
  }),
  refusals: ['NOT_FOUND', 'NOT_SEALED', 'RECEIPT_WITHHELD'],
  async handle({ principal, params }, s: Needs<'db'>) {
    const id = kinds.map((k) => fromWire(k, params.recordId ?? '')).find((uuid) => uuid !== undefined);
    const own = principal.kind === 'client' ? principal.account : undefined;
    const about = id === undefined ? [] : await entriesOf(s.db, principal.psp, id, own);
    const cdr = about.length === 0 ? fromWire('cdr', params.recordId ?? '') : undefined;
    const portion = cdr && (await findPortionOf(s.db, principal.psp, cdr, own));
    const entries = portion ? [portion.entry] : about;
    const last = entries.at(-1);
    if (!last) throw notFound();
    if (!principal.staff && entries.some((e) => unknownSchema(e.body) !== undefined || holdsPrivateReason(e.body)))
      throw refuse(
        'RECEIPT_WITHHELD',
        'the receipt of this record is given to operators of the service only; ask them for it',
      );
    const sealed = await findLastCheckpoint(s.db, principal.psp);
    if (!sealed || sealed.size < last.seq) throw notSealed();
    const proofs = await proveInclusion(
      s.db,
      sealed,
      entries.map((e) => e.seq),
    );
    return {
      message: 'receipt',
      content: makeReceipt(
        entries.map((entry, i) => ({ entry, proof: proofs[i] as (typeof proofs)[number] })),
        sealed.note,
        cdr && portion ? { record: cdr, text: portion.text, records: portion.records } : undefined,
      ),
    };
  },
});
