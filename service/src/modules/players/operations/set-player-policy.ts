import { refuse } from '../../../core/refusal.ts';
import { PlayerPolicyResource, policyModes } from '../../../entries/players.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { expectState } from '../../kernel/condition.ts';
import { journalRow } from '../../kernel/journal.ts';
import { type Needs, operation, Reason, Type } from '../../kernel/operation.ts';
import { withRaisedEpoch } from '../../kernel/raised-epoch.ts';
import { recordIn } from '../../kernel/record-in.ts';
import { findPolicy, type PlayerPolicy, policyResource, policyRow, policyState } from '../player-store.ts';
import { newGates } from '../player-sums.ts';

export const setPlayerPolicy = operation({
  id: 'setPlayerPolicy',
  method: 'POST',
  path: '/v1/player/policy',
  tag: 'Players',
  area: 'administration',
  summary: 'Set the policy for players',
  description:
    'For all operators of the PSP, from this moment on. What is left out does not change. Only the PSP itself can switch ENFORCE on.',
  audience: ['psp'],
  idempotent: true,
  body: Type.Object({
    exclusions: Type.Optional(policyModes.exclusions),
    limits: Type.Optional(policyModes.limits),
    countryLimits: Type.Optional(policyModes.countryLimits),
    reason: Type.Optional(Reason),
  }),
  content: PlayerPolicyResource,
  conditional: 'getPlayerPolicy',
  example: { exclusions: 'ENFORCE', limits: 'OBSERVE' },
  async handle(call, s: Needs<'ids' | 'db' | 'committer' | 'subjects'> & HasAccounts) {
    const { principal, body, now } = call;
    const { psp } = principal;
    // It is the PSP's for all of its clients, but a client that is named must be one of them.
    await listedClient(s, call);
    const { reason, ...asked } = body;
    if (principal.staff && Object.values(asked).includes('ENFORCE'))
      throw refuse('AUDIENCE', 'only the PSP itself can switch ENFORCE on, with its key or its own people');
    const at = new Date(now).toISOString();
    const reply = await withRaisedEpoch(s.db, psp, async (tx, raised) => {
      const before = await findPolicy(tx, psp);
      const { exclusions, limits, countryLimits } = policyResource(before);
      const modes = { exclusions, limits, countryLimits, ...asked };
      if (before && Object.entries(modes).every(([name, mode]) => before[name as keyof typeof modes] === mode))
        return { policy: before, replayed: true };
      expectState(call.condition, policyState(psp, before));
      const policy: PlayerPolicy = {
        psp,
        id: psp,
        ...modes,
        setBy: principal.actor,
        version: (before?.version ?? 0) + 1,
        updatedAt: at,
      };
      const entry = journalRow(s, principal, at, {
        kind: 'player_policy.set',
        psp,
        account: psp,
        resourceId: psp,
        version: policy.version,
        data: policyResource(policy),
        ...(reason === undefined ? {} : { evidence: { reason } }),
      });
      await recordIn(tx, s, {
        rows: [policyRow(policy), entry, raised],
        refsNew: before ? [] : newGates(psp, () => s.ids.next()),
      });
      return { policy, replayed: false };
    });
    if (!reply.replayed) await s.subjects.refresh(s.db);
    const { policy, replayed } = reply;
    return { message: 'policy set', content: policyResource(policy), replayed, state: policyState(psp, policy) };
  },
});
