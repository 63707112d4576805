import { toWire } from '../../../core/ids.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { readPersonal } from '../../kernel/subjects.ts';
import { listedReviews, reviewsNamed } from '../../reviews/index.ts';
import { caseAsked } from '../asked-case.ts';
import { CaseDetail, caseResource, itemResource } from '../case-resource.ts';
import { itemsOf } from '../case-store.ts';
import { itemPlace } from '../change-case.ts';

export const getCase = operation({
  id: 'getCase',
  method: 'GET',
  path: '/v1/case/:caseId',
  tag: 'Cases',
  summary: 'A case with all that is in it',
  description: 'Notes and names of files read `erased` if the person they were sealed for was erased.',
  audience: ['psp', 'operator'],
  content: CaseDetail,
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'subjects'>) {
    const found = await caseAsked(s, call);
    const items = await itemsOf(s.db, found);
    const alerts = items.flatMap((i) => (i.kind === 'ALERT' && i.about !== null ? i.about : []));
    const key = { psp: found.psp, ids: alerts };
    const reviews = (await reviewsNamed.load(s.db, [key])).get(reviewsNamed.text(key)) ?? [];
    const listed = await listedReviews(s.db, reviews);
    const shown = items
      .filter((i) => i.kind !== 'ALERT')
      .map(async (i) => itemResource(i, ((await readPersonal(s, i, itemPlace(i.id))) as string | undefined) ?? null));
    return {
      message: `case ${toWire('case', found.id)}`,
      content: { ...caseResource(found), reviews: reviews.map(listed), items: await Promise.all(shown) },
    };
  },
});
