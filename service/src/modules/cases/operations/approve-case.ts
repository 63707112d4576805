import { approved } from '../../../core/cases/case.ts';
import { refuse } from '../../../core/refusal.ts';
import { OptionalReasonBody, operation } from '../../kernel/operation.ts';
import { type Acts, released } from '../act.ts';
import { walletReleased } from '../act-on-wallet.ts';
import { caseAsked, caseChange } from '../asked-case.ts';
import { changeCase, noteItem } from '../change-case.ts';
import { expectTwoPersons } from '../two-persons.ts';

export const approveCase = operation({
  ...caseChange,
  id: 'approveCase',
  path: '/v1/case/:caseId/approve',
  summary: 'Agree to what is proposed in a case',
  description:
    'Closes the case, or ends the hold, that another person proposed. Ending a hold of the client is for operators. With cases in REQUIRE_TWO_PERSONS both must have signed in and be independent of each other.',
  body: OptionalReasonBody,
  example: { reason: 'seen and agreed' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'TWO_PERSONS'],
  async handle(call, s: Acts) {
    const { principal } = call;
    const found = await caseAsked(s, call);
    const at = new Date(call.now).toISOString();
    const to = approved(principal.actor, at);
    const may = to(found);
    if (may instanceof Error) throw may;
    await expectTwoPersons(s, found, principal);
    const proposed = found.proposed;
    const hold = proposed?.action === 'RELEASE' ? proposed.hold : null;
    const isClients = hold !== null && proposed?.ofWallet !== true;
    if (isClients && principal.kind !== 'operator' && principal.staff === undefined)
      throw refuse('AUDIENCE', 'a hold is ended by operators');
    return changeCase(s, call, found, {
      step: 'approve',
      message: proposed?.action === 'RELEASE' ? 'hold ended' : 'case closed',
      // What is approved is what was seen.
      to: (c) =>
        JSON.stringify(c.proposed) === JSON.stringify(proposed)
          ? to(c)
          : refuse('STATE_CONFLICT', 'what is proposed was changed meanwhile; look at the case again'),
      items: call.body.reason === undefined ? [] : [noteItem(call.body.reason, 'approve')],
      together:
        hold === null ? undefined : isClients ? released(s, call, found, hold) : walletReleased(s, call, found, hold),
    });
  },
});
