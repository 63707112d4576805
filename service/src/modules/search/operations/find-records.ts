import { accountWire, fromWire, timeOfId, toWire } from '../../../core/ids.ts';
import { phrase, refuse, said } from '../../../core/refusal.ts';
import { roles } from '../../../core/roles.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { Id, Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery } from '../../kernel/paging.ts';
import { callsOfNumber } from '../../telecom/index.ts';
import { type FoundRecord, findRecords as find } from '../lookup-store.ts';
import { foundKinds, type LookupKind, lookupKinds, plainForm } from '../lookups.ts';

export const findRecords = operation({
  id: 'findRecords',
  method: 'POST',
  path: '/v1/record/find',
  tag: 'Persons',
  area: 'records',
  summary: 'Find the records of a customer, number, wallet, transfer or IP address',
  description:
    'Deposits, withdrawals, wagers and payouts, and the calls and messages from and to a telephone number, newest first. The value is sent in the body, so that no proxy logs it. Records of version 0.1 are found by their customer at once, and by the other values some minutes after the upgrade. Records of an erased person are still found, without their personal data.',
  audience: ['psp', 'client'],
  roles,
  standing: 'any',
  body: Type.Object({
    by: Type.Enum(Object.keys(lookupKinds) as LookupKind[], {
      description: Object.entries(lookupKinds)
        .map(([kind, what]) => `\`${kind}\`: ${what}`)
        .join('; '),
    }),
    value: Type.String({
      description: 'Value to find, in any case. A telephone number begins with + or 00 and its country code.',
      minLength: 1,
      maxLength: 400,
      'x-characters': 'any',
    }),
    clientId: Type.Optional(Id('Only the records of this client.')),
    ...pageQuery,
  }),
  content: Page(
    Named('FoundRecord', 'A record that was found.', {
      id: Type.String({ description: 'Id of the transaction, wager, payout or call detail record.' }),
      type: Type.Enum(foundKinds),
      clientId: Type.String(),
      createdAt: Type.String(),
    }),
  ),
  example: { by: 'customer', value: 'ada@example.com' },
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'subjects'> & HasAccounts) {
    const { principal, body } = call;
    const before =
      body.cursor === undefined ? undefined : foundKinds.map((k) => fromWire(k, body.cursor ?? '')).find((id) => id);
    if (body.cursor !== undefined && before === undefined)
      throw refuse('FIELD_INVALID', "the field 'cursor' is not a cursor of this list");
    const kind = body.by as LookupKind;
    const value = plainForm(kind, body.value);
    if (value === undefined) throw refuse('FIELD_INVALID', said`the field 'value' is not ${phrase(lookupKinds[kind])}`);
    const account = await listedClient(s, call, body.clientId);
    const limit = (body.limit ?? 50) + 1;
    const { psp } = principal;
    const hash = s.subjects.identify(psp, value).subject;
    const [named, calls] = await Promise.all([
      find(s.db, { psp, kind, hash, account, before, limit }),
      kind === 'msisdn' ? callsOfNumber(s.db, { psp, forms: [hash, value], account, before, limit }) : [],
    ]);
    const rows = [...named, ...calls.map((c): FoundRecord => ({ ...c, kind: 'cdr' }))]
      .sort((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, limit);
    const show = (r: FoundRecord) => ({
      id: toWire(r.kind, r.id),
      type: r.kind,
      clientId: accountWire(psp, r.account),
      createdAt: new Date(timeOfId(r.id)).toISOString(),
    });
    return { message: 'records', content: page((r) => r.kind, rows, limit, show) };
  },
});
