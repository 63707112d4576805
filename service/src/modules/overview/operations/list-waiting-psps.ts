// The PSPs behind a figure of the overview over all of them.
import { toWire } from '../../../core/ids.ts';
import { livePsps, namesOf } from '../../accounts/index.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { waitingFigures } from '../../kernel/waits.ts';
import { waiting } from '../overview.ts';

const mostListed = 200;

export const listWaitingPsps = operation({
  id: 'listWaitingPsps',
  method: 'GET',
  path: '/v1/overview/waiting',
  tag: 'Overview',
  summary: 'PSPs at which something waits',
  description: 'The PSPs behind a figure of `attention` in the overview of all of them.',
  audience: ['operator'],
  query: Type.Object({ figure: Type.Enum(waitingFigures, { description: 'A figure of `attention`.' }) }),
  content: Named('WaitingPsps', 'PSPs at which something waits.', {
    psps: Type.Integer({ description: 'Number of PSPs at which it waits.' }),
    items: Type.Array(
      Named('WaitingPsp', 'A PSP at which something waits.', {
        pspId: Type.String(),
        name: Type.String({ description: "The PSP's name." }),
        count: Type.Integer({ description: 'Number of what waits there.' }),
      }),
      { description: `The ${mostListed} PSPs at which most waits, first those with the most.` },
    ),
  }),
  async handle({ query, now }, s: Needs<'db'>) {
    const scope = { kind: 'operator', psps: await livePsps(s.db), account: undefined, timeZone: 'UTC' } as const;
    const waits = (await waiting(s.db, scope, now)).filter((w) => w.figure === query.figure);
    const most = waits.sort((a, b) => b.count - a.count || a.psp.localeCompare(b.psp)).slice(0, mostListed);
    const names = await namesOf(
      s.db,
      most.map((w) => w.psp),
    );
    const items = most.map(({ psp, count }) => ({ pspId: toWire('psp', psp), name: names.get(psp) ?? '', count }));
    return { message: 'PSPs at which it waits', content: { psps: waits.length, items } };
  },
});
