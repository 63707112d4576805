import { refuse, said } from '../../../core/refusal.ts';
import { ownRecordAsked } from '../../kernel/asked.ts';
import { Extended, type Needs, operation, Type } from '../../kernel/operation.ts';
import { erased, readPersonal } from '../../kernel/subjects.ts';
import type { HasRateKeeper } from '../../rates/index.ts';
import { findAnalysis } from '../analysis/analysis-store.ts';
import { analysisDetail } from '../analysis/resources.ts';
import { AnalysisDetail } from '../analysis/schemas.ts';
import { personalRow } from '../cdr-row.ts';
import { type CdrRecord, cdrResource, findCdr, personalNames } from '../cdr-store.ts';
import { CdrResource } from '../schemas.ts';
import { sides } from '../seal-cdr.ts';
import { shownNumbers } from '../shown-numbers.ts';
import { withdrawalShown, withdrawalsOf } from '../withdrawal-store.ts';

/** Values of `?expand=`. */
const parts: readonly string[] = ['tax', 'personal'];

export const getCdr = operation({
  id: 'getCdr',
  method: 'GET',
  path: '/v1/telecom/cdr/:cdrId',
  tag: 'Telecom',
  summary: 'A call detail record by its id',
  description:
    '`?expand=tax` adds the class and the taxes, each with its rule and source. `?expand=personal` adds devices and locations; for an erased person they read `erased`, as the number always does.',
  audience: ['psp', 'client'],
  query: Type.Object({
    expand: Type.Optional(
      Type.String({ description: `Further parts, separated by commas: ${parts.join(', ')}.`, maxLength: 100 }),
    ),
  }),
  content: Extended(CdrResource, 'CallDetailRecordDetail', 'A call detail record, with its analysis if requested.', {
    analysis: Type.Optional(
      Type.Union([AnalysisDetail, Type.Null()], {
        description: 'With `?expand=tax` only. Null until it is analysed.',
      }),
    ),
  }),
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf, params, query }, s: Needs<'db' | 'subjects'> & HasRateKeeper) {
    const asked = readExpand(query.expand);
    const cdr = await ownRecordAsked({ principal, onBehalfOf }, 'cdr', params.cdrId, (id) =>
      findCdr(s.db, principal.psp, id),
    );
    const shown = {
      ...cdrResource(cdr, (await shownNumbers(s, [cdr]))(cdr)),
      ...withdrawalShown((await withdrawalsOf(s.db, cdr.psp, [cdr])).get(cdr.id)),
    };
    return {
      message: 'call detail record found',
      content: {
        ...shown,
        ...(asked.has('personal') ? { record: { ...shown.record, ...(await personal(s, cdr)) } } : {}),
        ...(asked.has('tax') ? { analysis: await analysis(s, cdr) } : {}),
      },
    };
  },
});

function readExpand(expand: string | undefined): ReadonlySet<string> {
  const asked = new Set(expand?.split(',').map((p) => p.trim()));
  for (const p of asked)
    if (!parts.includes(p))
      throw refuse(
        'QUERY_INVALID',
        said`the query parameter 'expand' knows ${parts.join(', ')}; not '${p.slice(0, 40)}'`,
      );
  return asked;
}

async function analysis(s: Needs<'db'> & HasRateKeeper, cdr: CdrRecord): Promise<object | null> {
  const analysed = await findAnalysis(s.db, [cdr.psp], cdr.id);
  return analysed ? analysisDetail(s, analysed) : null;
}

async function personal(s: Needs<'db' | 'subjects'>, cdr: CdrRecord): Promise<object | undefined> {
  const { psp, id } = cdr;
  const sealed = {
    caller: { psp, sealed: cdr.sealed, subject: cdr.subject },
    receiver: { psp, sealed: cdr.receiverSealed, subject: cdr.receiverSubject },
  };
  const read = sides.map(async (side) => {
    const data = await readPersonal(s, sealed[side], personalRow(id, side));
    return data === erased ? Object.fromEntries(personalNames(cdr, side).map((name) => [name, erased])) : data;
  });
  return Object.assign({}, ...(await Promise.all(read)));
}
