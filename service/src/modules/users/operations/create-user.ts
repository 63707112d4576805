import { accountFromWire, nobody } from '../../../core/ids.ts';
import { notFound, refuse } from '../../../core/refusal.ts';
import { roles } from '../../../core/roles.ts';
import { type HasAccounts, knownAccount } from '../../accounts/index.ts';
import { type Needs, operation, type Principal, Text, Type } from '../../kernel/operation.ts';
import { expectOpen, shown, WithPassword, withinScopes } from '../administered-user.ts';
import { createUser as create } from '../change-user.ts';
import { staffAccount } from '../first-administrator.ts';

export const createUser = operation({
  id: 'createUser',
  method: 'POST',
  path: '/v1/admin/user',
  tag: 'Users',
  summary: 'Let a person sign in',
  audience: ['operator', 'psp', 'client'],
  standing: 'active',
  body: Type.Object({
    email: Type.String({ format: 'email', minLength: 3, maxLength: 254 }),
    name: Text('Name of the person.', 200),
    role: Type.Enum(roles, {
      description:
        'People of a client are administrators or members, all others administrators, reviewers or auditors.',
    }),
    accountId: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          "Account the person works for; default: that of x-client-id, or the caller's own. An operator may name any, a PSP one of its clients.",
      }),
    ),
  }),
  content: WithPassword,
  example: { email: 'ada@example.com', name: 'Ada Obi', role: 'auditor' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'ALREADY_REGISTERED'],
  async handle(
    call,
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'passwords' | 'subjects' | 'vault'> & HasAccounts,
  ) {
    const { principal, body, onBehalfOf, now } = call;
    withinScopes(call, body.role);
    // Who works on the machine has no account.
    const own = () => (principal.account === nobody ? staffAccount(s, principal, now) : principal.account);
    const named = body.accountId === undefined ? (onBehalfOf ?? (await own())) : accountFromWire(body.accountId);
    const account = onBehalfOf ?? named;
    if (!account || !(await isWithinReach(s, principal, account))) throw notFound();
    if (named !== account)
      throw refuse('FIELD_INVALID', "the field 'accountId' and the header 'x-client-id' name two accounts");
    await expectOpen(s, principal, account);
    const made = await create(s, principal, { ...body, account }, now);
    return {
      message: 'user created; hand over the password, it is not shown again',
      content: { user: shown(call, made.user), password: made.password },
    };
  },
});

/** Operators let people into any account, a PSP into its own and its clients', a client into its own. */
async function isWithinReach(s: Needs<'db'> & HasAccounts, { kind, psp, account: own }: Principal, account: string) {
  if (kind === 'operator' || account === own) return true;
  return kind === 'psp' && (await knownAccount(s, { psp, id: account })) !== undefined;
}
