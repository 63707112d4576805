import { toBase64 } from '../../../core/audit/base64.ts';
import { formatKey } from '../../../core/audit/note.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { logKey } from '../audit-key.ts';
import { findAuditKeys } from '../audit-store.ts';
import { Hash } from '../checkpoint-fields.ts';

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
