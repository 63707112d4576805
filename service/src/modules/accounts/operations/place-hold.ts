import { publicHoldCodes } from '../../../core/public-standing.ts';
import { refuse } from '../../../core/refusal.ts';
import { AccountResource } from '../../../entries/accounts.ts';
import { operation, Prose, Time, Type } from '../../kernel/operation.ts';
import { codeName } from '../../kernel/text-forms.ts';
import { accountParam, shown, type Uses } from '../account-changes.ts';
import { changeAccount } from '../administer.ts';

export const placeHold = operation({
  id: 'placeHold',
  method: 'POST',
  path: '/v1/admin/account/:accountId/hold',
  tag: 'Accounts',
  summary: 'Place a dated hold',
  audience: ['operator'],
  body: Type.Object({
    code: Type.String({
      description:
        'Short code, e.g. SANCTIONS_REVIEW. Operators see it; others only where it is one of the public codes.',
      ...codeName,
      maxLength: 40,
    }),
    publicCode: Type.Optional(
      Type.Enum(publicHoldCodes, {
        description:
          'Public code of a blocking hold, which the client and its PSP see with a sentence. Default: `code` if it is one of these, else UNDER_REVIEW.',
      }),
    ),
    reason: Prose('Reason, for operators only; recorded in the journal.', 500),
    blocking: Type.Optional(
      Type.Boolean({
        description: 'True (default): declines transactions while in force. False: a remark that only operators see.',
      }),
    ),
    from: Type.Optional(Time('Start of the hold; default: now.')),
    until: Type.Optional(Time('End of the hold; default: open-ended.')),
  }),
  content: AccountResource,
  example: { code: 'SANCTIONS_REVIEW', reason: 'name match under review' },
  refusals: ['NOT_FOUND', 'LIMIT_REACHED', 'STATE_CONFLICT'],
  async handle(call, s: Uses) {
    const { principal, body: b } = call;
    const id = accountParam(call);
    const from = b.from === undefined ? new Date(call.now).toISOString() : new Date(b.from).toISOString();
    const until = b.until === undefined ? null : new Date(b.until).toISOString();
    if (until !== null && until <= from) throw refuse('FIELD_INVALID', "the field 'until' must be later than 'from'");
    await changeAccount(
      s,
      principal,
      id,
      {
        reason: b.reason,
        hold: {
          id: s.ids.next(),
          code: b.code,
          ...(b.publicCode === undefined ? {} : { publicCode: b.publicCode }),
          reason: b.reason,
          blocking: b.blocking ?? true,
          from,
          until,
          setBy: principal.actor,
        },
      },
      call.now,
    );
    return { message: 'hold placed', content: await shown(s, id, call.now) };
  },
});
