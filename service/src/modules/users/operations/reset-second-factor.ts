// Remove the second factors of a person who lost theirs.
import { said } from '../../../core/said.ts';
import { notOneself, onUser, shown, UserResource, withinScopes } from '../administered-user.ts';
import type { ChangesUsers } from '../change-user.ts';
import { resetSecondFactor as reset } from '../second-factor.ts';

export const resetSecondFactor = onUser({
  id: 'resetSecondFactor',
  verb: 'reset-second-factor',
  summary: "Remove a person's second factors",
  description: 'For somebody who lost theirs. All sessions of the person end; the password stays.',
  example: 'lost the telephone',
  refusals: ['STATE_CONFLICT'],
  content: UserResource,
  async act(call, user, reason, s: ChangesUsers) {
    notOneself(call, user, said`reset your own second factor; remove it instead`);
    withinScopes(call, user.role);
    const after = await reset(s, call.principal, user, reason, call.now);
    return { message: 'second factors removed', content: shown(call, after) };
  },
});
