// Disable a person.
import { said } from '../../../core/said.ts';
import type { LetsGo } from '../../kernel/lets-go.ts';
import { notOneself, onUser, shown, UserResource } from '../administered-user.ts';
import { type ChangesUsers, disableUser as disable } from '../change-user.ts';

export const disableUser = onUser({
  id: 'disableUser',
  verb: 'disable',
  summary: 'Disable a person',
  description:
    'All sessions of the person end within a second, and the reviews and cases that the person had to work on are unassigned. What the person proposed cannot be approved any more.',
  example: 'left the company',
  refusals: ['STATE_CONFLICT'],
  content: UserResource,
  async act(call, user, reason, s: ChangesUsers & LetsGo) {
    notOneself(call, user, said`disable yourself`);
    const after = await disable(s, call.principal, user, reason, call.now);
    return { message: 'user disabled', content: shown(call, after) };
  },
});
