import { loadFields } from '../../../entries/exchange.ts';
import { Day, Named, type Needs, operation, Text, Type } from '../../kernel/operation.ts';
import { loadRates } from '../load.ts';

/** The tax rules begin on this day. */
const firstDay = '2024-01-01';

export const loadExchangeRates = operation({
  id: 'loadExchangeRates',
  method: 'POST',
  path: '/v1/exchange-rates',
  tag: 'Rates',
  area: 'administration',
  summary: 'Load a published file of exchange rates',
  description:
    'Reads a file as a central bank or tax authority publishes it; its form is recognised by its content. Rates that are new are added, others than those stored replace them for later reports, and the former ones are kept. A damaged file is refused whole.',
  audience: ['operator'],
  idempotent: true,
  // The history of the European Central Bank as XML takes 8 MB.
  largeBody: 12 << 20,
  body: Type.Object({
    name: Text('Name or address of the file; recorded in the journal.', 1000),
    text: Type.String({ description: 'The text of the file, unchanged.', minLength: 1, 'x-characters': 'any' }),
    from: Type.Optional(
      Day(`First day that is read, \`YYYY-MM-DD\`; what is earlier is passed over. Default: ${firstDay}.`),
    ),
  }),
  content: Named('LoadedExchangeRates', 'A file of exchange rates that was read, and what of it was new.', {
    loadIds: Type.Array(Type.String(), {
      description: 'Ids of the loads, `fxl_…`, one for each portion of a large file; empty if nothing was new.',
    }),
    ...loadFields,
    unchanged: Type.Integer({ description: 'Rates of the file that are in force as it has them.' }),
    correctedSince: Type.Integer({
      description:
        'Rates of a file that was loaded before which later files corrected: the later ones stay in force. To go back to one, load it from a file that differs, such as a plain table.',
    }),
  }),
  example: {
    name: 'eurofxref-hist.csv',
    text: 'Date,USD,GBP,\n2024-01-03,1.0919,0.86375,\n2024-01-02,1.0956,0.86645,\n',
  },
  refusals: ['RATES_INVALID'],
  async handle({ principal, body, now }, s: Needs<'ids' | 'db' | 'committer'>) {
    const loaded = await loadRates(s, principal, { ...body, from: body.from ?? firstDay }, now);
    const isNew = loaded.loadIds.length > 0;
    return { message: isNew ? 'exchange rates loaded' : whyNothing(loaded), content: loaded, replayed: !isNew };
  },
});

const whyNothing = ({ unchanged, correctedSince }: { readonly unchanged: number; readonly correctedSince: number }) =>
  correctedSince === 0
    ? 'nothing was new: all rates of the file are in force already'
    : `nothing was new: the file was loaded before, and ${correctedSince} of its ${unchanged + correctedSince} rates were corrected by later files, which stay in force`;
