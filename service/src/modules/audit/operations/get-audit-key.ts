import { toBase64 } from '../../../core/audit/base64.ts';
import { formatKey } from '../../../core/audit/note.ts';
import { Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { logKey } from '../audit-key.ts';
import { findAuditKeys, type StoredAuditKey } from '../audit-store.ts';
import { Hash } from '../checkpoint-fields.ts';

export const getAuditKey = operation({
  id: 'getAuditKey',
  method: 'GET',
  path: '/v1/audit/key',
  tag: 'Audit',
  summary: "Public key of the PSP's log",
  description:
    'Pass `key` to `assay verify-receipt --key`. Fetch it once and store it apart from receipts. If the operator replaced the key, `former` has those before it: the `change` of the one that you hold shows that `key` follows it.',
  audience: ['psp', 'client'],
  content: Named('AuditKey', 'The public key that verifies checkpoints.', {
    key: Type.String({ description: 'name+id+key, as in signed notes.' }),
    keyName: Type.String({ description: 'Name of the key, which is the name of the log.' }),
    algorithm: Type.Literal('Ed25519', { description: 'Signature algorithm.' }),
    publicKey: Hash,
    former: Type.Array(
      Named('FormerAuditKey', 'A key that signed before.', {
        key: Type.String({ description: 'name+id+key, as it was given here while it was the key.' }),
        replacedAt: Type.String({ description: 'When another took its place, ISO 8601 UTC.' }),
        signsUntil: Nullable(
          Type.String(),
          'Until then it signs too, ISO 8601 UTC; null if it leaked and ended at once.',
        ),
        change: Nullable(
          Type.String(),
          'Signed note about the key that took its place, for `assay verify-receipt --change`; null if it leaked, for then its signature shows nothing.',
        ),
      }),
      { description: 'Keys that were replaced, the last one first.' },
    ),
  }),
  async handle({ principal }, s: Needs<'db'>) {
    const [stored, ...former] = await findAuditKeys(s.db);
    // Every start creates it before anything is served.
    if (!stored) throw new Error('the key of the seal is missing');
    const key = logKey(stored, principal.psp);
    const successors = [stored, ...former];
    return {
      message: 'key',
      content: {
        key: formatKey(key),
        keyName: key.name,
        algorithm: 'Ed25519',
        publicKey: toBase64(key.publicKey),
        former: former.map((k, i) => {
          const { createdAt, bothUntil, change } = successors[i] as StoredAuditKey;
          return {
            key: formatKey(logKey(k, principal.psp)),
            replacedAt: createdAt,
            signsUntil: bothUntil,
            change: bothUntil === null ? null : change,
          };
        }),
      },
    };
  },
});
