import { Id, operation, Prose, Type } from '../../kernel/operation.ts';
import { type Acts, act } from '../act.ts';
import { caseAsked, caseChange } from '../asked-case.ts';

export const caseAction = operation({
  ...caseChange,
  id: 'caseAction',
  path: '/v1/case/:caseId/action',
  summary: 'Act on the client or a transaction from a case',
  description:
    "HOLD and SUSPEND are for operators: they place a hold on the client, or suspend it. HOLD_WALLET puts the wallet that a transaction names on hold (holdWallet). RELEASE proposes to end a hold, which another person approves by approveCase; ending a hold of the client is for operators. DECLINE and CHARGE_BACK do what declineTransaction and chargeBack do to a transaction of the case's client. The case's own history says what was done; the client reads nothing of the case.",
  body: Type.Object({
    action: Type.Enum(['HOLD', 'HOLD_WALLET', 'RELEASE', 'SUSPEND', 'DECLINE', 'CHARGE_BACK'], {
      description: 'The action to take.',
    }),
    reason: Prose(
      'Why. Sealed in the case; of HOLD, HOLD_WALLET and SUSPEND also in the journal: name no persons.',
      500,
    ),
    holdId: Type.Optional(Id('For RELEASE: the hold, `hld_…`, or `whd_…` of a wallet.')),
    transactionId: Type.Optional(Id('For HOLD_WALLET, DECLINE and CHARGE_BACK: the transaction, `txn_…`.')),
  }),
  example: { action: 'DECLINE', reason: 'the card was stolen', transactionId: 'txn_01h455vb4pex5vsknk084sn02q' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'NOT_RECORDER', 'ALREADY_CHARGED_BACK', 'LIMIT_REACHED'],
  async handle(call, s: Acts) {
    return act(s, call, await caseAsked(s, call), call.body);
  },
});
