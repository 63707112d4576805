import { notFound, refuse } from '../../../core/refusal.ts';
import { withBesides } from '../../../core/standing.ts';
import { endedAt, isHeldBy } from '../../../core/wallets/wallet-hold.ts';
import { idAsked } from '../../kernel/asked.ts';
import { type Needs, operation, ReasonBody, type Reply } from '../../kernel/operation.ts';
import { type RaisingNeeds, recordRaised } from '../../kernel/raised-epoch.ts';
import { findWalletHold, holdsOfWallet } from '../hold-store.ts';
import { ShownWalletHold, shownHold } from '../shown-hold.ts';
import { stillHeld, walletHoldRows } from '../wallet-holds.ts';

export const releaseWalletHold = operation({
  id: 'releaseWalletHold',
  method: 'POST',
  path: '/v1/wallet-hold/:holdId/release',
  tag: 'Risk rules',
  area: 'records',
  summary: 'End a hold of a wallet',
  description:
    'At once. A hold that a rule or a case placed is ended from its case: one person proposes RELEASE (caseAction), another approves it. The wallet pays again when no hold of it is in force; the message names those that still are.',
  audience: ['psp'],
  ofPsp: true,
  roles: ['administrator', 'reviewer'],
  idempotent: true,
  body: ReasonBody,
  content: ShownWalletHold,
  example: { reason: 'the owner was identified' },
  refusals: ['NOT_FOUND', 'TWO_PERSONS'],
  async handle({ principal, params, body, now }, s: RaisingNeeds & Needs<'ids' | 'vault'>) {
    const { psp } = principal;
    const id = idAsked('walletHold', params.holdId);
    const at = new Date(now).toISOString();
    return recordRaised<Reply>(s, psp, async (tx) => {
      const before = await findWalletHold(tx, psp, id);
      if (!before) throw notFound();
      if (before.caseId !== null)
        throw refuse('TWO_PERSONS', 'this hold was placed from a case, and two people end it from there (RELEASE)');
      if (!isHeldBy(before, at))
        return {
          writes: { rows: [] },
          reply: { message: 'hold ended before', content: shownHold(s, before, at), replayed: true },
        };
      const after = endedAt(before, at);
      const holds = (await holdsOfWallet.load(tx, [before])).get(holdsOfWallet.text(before))?.holds ?? [];
      const message = withBesides('hold ended', stillHeld(holds, id, at));
      return {
        writes: { rows: walletHoldRows(s, principal, after, body.reason) },
        reply: { message, content: shownHold(s, after, at) },
      };
    });
  },
});
