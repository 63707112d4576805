import { refuse } from '../../../core/refusal.ts';
import { tookTooLong } from '../../../platform/database-away.ts';
import { randomSecret } from '../../../platform/random.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { AuthorityRecord, overseenQuery, readOverseen, showing } from '../overseen.ts';
import { sampleOverseen } from '../overseen-store.ts';

const most = 200;
/** Longest time for it: to draw the sample, all records of the days are hashed. */
const budgetMs = 20_000;

export const listAuthoritySample = operation({
  id: 'listAuthoritySample',
  method: 'GET',
  path: '/v1/authority/sample',
  tag: 'Authorities',
  summary: 'Draw records at random from those that an authority sees',
  description:
    'The records whose SHA-256 of `seed:id` comes first, the id as a UUID. From the same records the same seed draws the same again, and the authority chooses it, so that nobody else can choose among them. Take the receipt of each with getAuthorityReceipt.',
  audience: ['operator', 'authority'],
  query: Type.Object({
    size: Type.Optional(
      Type.Integer({ description: `Number of records, 1 to ${most}; default 50.`, minimum: 1, maximum: most }),
    ),
    seed: Type.Optional(
      Type.String({ description: 'Any text; a random one if it is left out.', minLength: 1, maxLength: 100 }),
    ),
    ...overseenQuery,
  }),
  content: Named('AuthoritySample', 'Records that were drawn.', {
    seed: Type.String({ description: 'The seed with which they were drawn.' }),
    items: Type.Array(AuthorityRecord),
    archivedBefore: Type.Optional(
      Type.String({
        description:
          'Records made before this day (UTC) are in the archive and were not drawn from. Absent if nothing is archived.',
      }),
    ),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { size = 50, seed = randomSecret(12).toString('hex') } = call.query;
    const { filter, ...read } = await readOverseen(s, call);
    const rows = filter === undefined ? [] : await drawn(s, { ...filter, seed, limit: size });
    return { message: 'sample', content: { seed, items: rows.map(await showing(s, read, rows)) } };
  },
});

/** @throws QUERY_INVALID if there are too many records to draw from */
async function drawn(s: Needs<'db'>, from: Parameters<typeof sampleOverseen>[1]) {
  try {
    return await s.db.transaction(async (tx) => {
      await tx.query(`SET LOCAL statement_timeout = ${budgetMs}`);
      return sampleOverseen(tx, from);
    });
  } catch (e) {
    if (!tookTooLong(e)) throw e;
    throw refuse('QUERY_INVALID', 'there are too many records to draw from at once; narrow the days or the PSP');
  }
}
