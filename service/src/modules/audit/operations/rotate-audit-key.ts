// POST /v1/admin/audit/rotateKey: another key signs the checkpoints.
import { dayMs } from '../../../core/calendar.ts';
import { refuse } from '../../../core/refusal.ts';
import { AuditKeyChange } from '../../../entries/audit-keys.ts';
import { journalRow } from '../../kernel/journal.ts';
import { type Needs, operation, Reason, Type } from '../../kernel/operation.ts';
import { recordIn } from '../../kernel/record-in.ts';
import { replacement } from '../audit-key.ts';
import { findAuditKeys, insertAuditKey } from '../audit-store.ts';

export const rotateAuditKey = operation({
  id: 'rotateAuditKey',
  method: 'POST',
  path: '/v1/admin/audit/rotateKey',
  tag: 'Audit',
  area: 'administration',
  summary: 'Replace the key that signs checkpoints',
  description:
    'From then on checkpoints, and with them receipts, are signed by a new key, and for `bothForDays` days by the former one too, so that its holders have time to take the new one from `getAuditKey`. Within seconds the last checkpoint of every journal is signed with it. With `leaked` the former key signs nothing any more, and its holders need the new key from you.',
  audience: ['operator'],
  body: Type.Object({
    reason: Reason,
    bothForDays: Type.Optional(
      Type.Integer({ description: 'Days for which both keys sign; default 90.', minimum: 1, maximum: 730 }),
    ),
    leaked: Type.Optional(
      Type.Boolean({ description: '`true` if somebody else may hold the former key: it ends at once.' }),
    ),
  }),
  content: AuditKeyChange,
  example: { reason: 'once a year', bothForDays: 90 },
  refusals: ['STATE_CONFLICT'],
  async handle({ principal, body, now }, s: Needs<'db' | 'vault' | 'ids' | 'committer'>) {
    if (body.leaked && body.bothForDays !== undefined)
      throw refuse('FIELD_INVALID', "the field 'bothForDays' must be left out: a key that leaked ends at once");
    const bothUntil = body.leaked ? undefined : new Date(now + (body.bothForDays ?? 90) * dayMs).toISOString();
    const change = await s.db.transaction(async (tx) => {
      const [former] = await findAuditKeys(tx);
      // Every start creates it before anything is served.
      if (!former) throw new Error('the key of the seal is missing');
      const made = replacement(s.vault, former, now, bothUntil);
      if (!(await insertAuditKey(tx, made.row)))
        throw refuse('STATE_CONFLICT', 'the key was replaced by another call at the same moment; getAuditKey gives it');
      const entry = journalRow(s, principal, made.change.at, {
        kind: 'audit_key.rotated',
        psp: principal.psp,
        account: principal.account,
        resourceId: principal.account,
        version: 1,
        data: made.change,
        evidence: { reason: body.reason },
      });
      await recordIn(tx, s, { rows: [entry] });
      return made.change;
    });
    return { message: 'the key was replaced', content: { ...change } };
  },
});
