import { fromWire, toWire } from '../../../core/ids.ts';
import type { View } from '../../../core/oversight.ts';
import { notFound } from '../../../core/refusal.ts';
import { canonical } from '../../../core/request.ts';
import { AuthorityResource } from '../../../entries/authorities.ts';
import {
  type Authority,
  authorityResource,
  authorityState,
  type ForgetsSessions,
  findAuthority,
  lockAuthority,
  namesOf,
  viewResource,
} from '../../accounts/index.ts';
import { expectState } from '../../kernel/condition.ts';
import { type Needs, operation, Reason, Type } from '../../kernel/operation.ts';
import { recordIn } from '../../kernel/record-in.ts';
import { ApprovedBy, expectSecondPerson, type TakesApproved } from '../../kernel/second-person.ts';
import { authorityText, readView, viewAsked } from '../asked-view.ts';
import { authorityRows } from '../set-authority.ts';

export const changeAuthority = operation({
  id: 'changeAuthority',
  method: 'POST',
  path: '/v1/admin/authority/:authorityId',
  tag: 'Authorities',
  area: 'administration',
  summary: 'Change what an authority sees, or end its access',
  description:
    'Replaces what its people see as a whole, for sessions too, within a second. An `until` that has passed ends their access and needs nobody else.',
  audience: ['operator'],
  idempotent: true,
  body: Type.Object({ ...viewAsked, reason: Reason, proposalId: ApprovedBy }),
  content: AuthorityResource,
  conditional: 'getAuthority',
  example: { countryCode: 'NG', dayFrom: '2026-01-01', until: '2027-06-30T00:00:00Z', reason: 'audit extended' },
  refusals: ['UNKNOWN_COUNTRY', 'NOT_FOUND', 'STATE_CONFLICT', 'TWO_PERSONS'],
  async handle(
    { principal, body, params, now, condition },
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'reference'> & TakesApproved & ForgetsSessions,
  ) {
    const id = fromWire('psp', params.authorityId ?? '');
    const found = id && (await findAuthority(s.db, id));
    if (!id || !found) throw notFound();
    const view = await readView(s, body);
    const name = (await namesOf(s.db, [id])).get(id) ?? '';
    const answered = (a: Authority, replayed: boolean) => ({
      message: replayed ? 'nothing changed' : 'changed',
      content: authorityResource(a, name),
      replayed,
      state: authorityState(a),
    });
    if (sees(found, view)) return answered(found, true);
    // Also here, so that no approval is used up for nothing.
    expectState(condition, authorityState(found));
    const at = new Date(now).toISOString();
    if (view.until > at)
      await expectSecondPerson(s, { principal, now }, body.proposalId, {
        kind: 'AUTHORITY',
        content: authorityText({ authorityId: toWire('psp', id) }, view),
      });
    const after = await s.db.transaction(async (tx) => {
      const before = (await lockAuthority(tx, id)) as Authority;
      expectState(condition, authorityState(before));
      const changed: Authority = { ...before, ...view, version: before.version + 1, updatedAt: at };
      await recordIn(tx, s, { rows: authorityRows(s, principal, changed, name, body.reason) });
      return changed;
    });
    s.sessions.forget();
    return answered(after, false);
  },
});

const sees = (a: Authority, view: View): boolean => canonical(viewResource(a)) === canonical(viewResource(view));
