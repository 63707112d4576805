import { toBase64 } from '../../../core/audit/base64.ts';
import { notFound } from '../../../core/refusal.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { findCheckpoint, findLastCheckpoint } from '../audit-store.ts';
import { Hash, Size } from '../checkpoint-fields.ts';
import { notSealed } from '../receipt-of.ts';
import { checkpointIn } from '../sealer.ts';

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
    origin: Type.String({ description: 'Name of the log.' }),
    size: Size,
    root: Hash,
    sealedAt: Type.String({ description: 'When the checkpoint was signed, ISO 8601 UTC.' }),
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
