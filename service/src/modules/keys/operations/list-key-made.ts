import { isoTime } from '../../../core/calendar.ts';
import { notFound } from '../../../core/refusal.ts';
import { AccountKey, accountKeyResource, type HasAccounts, listAllKeys } from '../../accounts/index.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { madeBy, madeResource } from '../made.ts';
import { MadeList, ownKey } from '../own-key.ts';

export const listKeyMade = operation({
  id: 'listKeyMade',
  method: 'GET',
  path: '/v1/key/:keyId/made',
  tag: 'Keys',
  summary: 'List what a key made',
  description:
    'Keys, people, file drop logins, webhook addresses and clients that outlive the key, with those made by keys and people that it made. Operators may name any key.',
  audience: ['psp', 'client', 'operator'],
  query: Type.Object({
    since: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 40,
        description: 'Only what was made from this moment on, ISO 8601. Default: everything.',
      }),
    ),
  }),
  content: Named('KeyMade', 'A key, and the things that it made and that outlive it.', {
    key: AccountKey,
    items: MadeList,
  }),
  refusals: ['NOT_FOUND', 'LIMIT_REACHED'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const key = await ownKey(s, call);
    const made = await madeBy(s.db, key.id, Date.parse(call.query.since ?? key.createdAt), call.now);
    const listed = await listAllKeys(s.db, { key: key.id, now: isoTime(call.now), limit: 1 });
    const [shown] = listed.map(accountKeyResource);
    if (!shown) throw notFound();
    return { message: 'what the key made', content: { key: shown, items: made.map(madeResource) } };
  },
});
