// Changes of the key that signs checkpoints: the entries about them.
import { entry } from './define.ts';
import { Named, Nullable, Type } from './schema.ts';

export const AuditKeyChange = Named('AuditKeyChange', 'A change of the key that signs checkpoints.', {
  former: Type.String({ description: "The former key under the service's name: `name+id+key`." }),
  next: Type.String({ description: 'The key that signs from then on, in the same form.' }),
  at: Type.String({ description: 'When it was replaced, ISO 8601 UTC.' }),
  bothUntil: Nullable(Type.String(), 'Until then both sign; null if the former one had leaked and ended at once.'),
});

export const auditKeyEntries = {
  'audit_key.rotated/1': entry('Another key signs the checkpoints of all journals from then on.', {
    data: AuditKeyChange,
    evidence: Named('AuditKeyEvidence', 'Why the key was replaced.', { reason: Type.String() }),
  }),
};
