import { toWire } from '../../../core/ids.ts';
import { namesOf } from '../../accounts/index.ts';
import { logKeyOf } from '../../audit/index.ts';
import { Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { recordsOfPsps } from '../../totals/index.ts';
import { readOverseen } from '../overseen.ts';
import { asAuthority } from '../view.ts';

export const listAuthorityPsps = operation({
  id: 'listAuthorityPsps',
  method: 'GET',
  path: '/v1/authority/psp',
  tag: 'Authorities',
  summary: "List the PSPs with records in an authority's country, with the keys of their logs",
  description: 'Fetch the keys once and store them apart from receipts: a receipt is checked with the key of its log.',
  audience: ['operator', 'authority'],
  query: Type.Object(asAuthority),
  content: Named('AuthorityPsps', 'PSPs with records of the country and days.', {
    items: Type.Array(
      Named('AuthorityPsp', 'A PSP, and the key of its log.', {
        pspId: Type.String(),
        name: Type.String(),
        records: Type.Integer({ description: 'Number of records that totals count in the country and days.' }),
        key: Type.String({ description: 'name+id+key, as in signed notes.' }),
        checkpoint: Nullable(Type.String(), 'The latest signed checkpoint of its log.'),
      }),
    ),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { filter } = await readOverseen(s, call);
    const found = filter === undefined ? [] : await recordsOfPsps(s.db, filter);
    const psps = found.map((f) => f.psp);
    const names = await namesOf(s.db, psps);
    const logOf = await logKeyOf(s.db, psps);
    const items = found.map(({ psp, count }) => ({
      pspId: toWire('psp', psp),
      name: names.get(psp) ?? '',
      records: count,
      ...logOf(psp),
    }));
    return { message: 'PSPs', content: { items } };
  },
});
