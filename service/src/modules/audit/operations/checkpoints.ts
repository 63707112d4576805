// Checkpoints of a PSP's log, the proof that one continues another, and the key that signs them.
import { Type } from 'typebox';
import { toBase64 } from '../../../core/audit/base64.ts';
import { formatKey } from '../../../core/audit/note.ts';
import { notFound, refuse } from '../../../core/refusal.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Named, operation } from '../../kernel/operation.ts';
import { logKey } from '../audit-key.ts';
import { findAuditKeys, findCheckpoint, findLastCheckpoint } from '../audit-store.ts';
import { checkpointIn } from '../sealer.ts';
import { proveConsistency } from '../stored-tree.ts';
import { notSealed } from './get-receipt.ts';

const Size = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Hash = Type.String({ description: '32 bytes as base64.' });

export const getCheckpoint = operation({
  id: 'getCheckpoint',
  method: 'GET',
  path: '/v1/audit/checkpoint',
  tag: 'Audit',
  summary: "A signed checkpoint of the PSP's journal",
  description:
    'The latest checkpoint, or the one signed at `size`. Keep checkpoints: they prove later that the journal was not rewritten.',
  audience: ['psp', 'client'],
  query: Type.Object({ size: Type.Optional(Size) }),
  content: Named('SignedCheckpoint', "A signed statement of the journal's size and root hash.", {
    checkpoint: Type.String({ description: 'A signed note: log, size, root hash, signature.' }),
    origin: Type.String(),
    size: Size,
    root: Hash,
    sealedAt: Type.String(),
  }),
  refusals: ['NOT_FOUND', 'NOT_SEALED'],
  async handle({ principal, query }, s: Needs<'db'>) {
    const found =
      query.size === undefined
        ? await findLastCheckpoint(s.db, principal.psp)
        : await findCheckpoint(s.db, principal.psp, query.size);
    if (!found) throw query.size === undefined ? notSealed() : notFound();
    const { origin, size, root } = checkpointIn(found);
    return {
      message: 'checkpoint',
      content: { checkpoint: found.note, origin, size, root: toBase64(root), sealedAt: found.sealedAt },
    };
  },
});

export const getConsistency = operation({
  id: 'getConsistency',
  method: 'GET',
  path: '/v1/audit/consistency',
  tag: 'Audit',
  summary: 'Proof that the journal only grew between two sizes',
  description:
    'A consistency proof of RFC 9162 between any two sealed sizes. Check it against the roots of checkpoints that you stored yourself, not against those returned here.',
  audience: ['psp', 'client'],
  query: Type.Object({ from: Size, to: Size }),
  content: Named('ConsistencyProof', 'Proof that a later journal begins with an earlier one.', {
    from: Size,
    to: Size,
    fromRoot: Hash,
    toRoot: Hash,
    proof: Type.Array(Hash),
  }),
  refusals: ['NOT_SEALED'],
  async handle({ principal, query: { from, to } }, s: Needs<'db'>) {
    if (from > to) throw refuse('QUERY_INVALID', "the query parameter 'from' must not be greater than 'to'");
    const sealed = await findLastCheckpoint(s.db, principal.psp);
    if (!sealed) throw notSealed();
    if (to > sealed.size)
      throw refuse('QUERY_INVALID', `the query parameter 'to' is beyond what is sealed: ${sealed.size} entries`);
    const { proof, first, second } = await proveConsistency(s.db, sealed, from, to);
    return {
      message: 'consistency proof',
      content: { from, to, fromRoot: toBase64(first), toRoot: toBase64(second), proof: proof.map(toBase64) },
    };
  },
});

export const getAuditKey = operation({
  id: 'getAuditKey',
  method: 'GET',
  path: '/v1/audit/key',
  tag: 'Audit',
  summary: "Public key of the PSP's log",
  description: 'Pass `key` to `assay verify-receipt --key`. Fetch it once and store it apart from receipts.',
  audience: ['psp', 'client'],
  content: Named('AuditKey', 'The public key that verifies checkpoints.', {
    key: Type.String({ description: 'name+id+key, as in signed notes.' }),
    keyName: Type.String(),
    algorithm: Type.Literal('Ed25519'),
    publicKey: Hash,
  }),
  async handle({ principal }, s: Needs<'db'>) {
    const [stored] = await findAuditKeys(s.db);
    // Every start creates it before anything is served.
    if (!stored) throw new Error('the key of the seal is missing');
    const key = logKey(stored, principal.psp);
    return {
      message: 'key',
      content: { key: formatKey(key), keyName: key.name, algorithm: 'Ed25519', publicKey: toBase64(key.publicKey) },
    };
  },
});
