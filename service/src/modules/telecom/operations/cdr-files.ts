// Call detail files: the list, one with its progress, its findings, and its rejected lines to be corrected.
import { Type } from 'typebox';
import { fromWire } from '../../../core/ids.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import { type HasAccounts, listedAccount } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type Call, Extended, Named, operation } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { type CdrFile, findFile, listFiles } from '../files/file-store.ts';
import { FileResource, FileStateName, FindingResource, fileResource, SuspenseCounts } from '../files/schemas.ts';
import { shownFinding } from '../files/status.ts';
import { countSuspended, listFindings, listSuspended, rawOf } from '../files/suspense-store.ts';

/** The file of the path, where the key may see it. @throws NOT_FOUND */
export async function fileOf(s: Needs<'db'>, { principal, params }: Pick<Call, 'principal' | 'params'>) {
  const id = fromWire('cdrFile', params.fileId ?? '');
  const file = id && (await findFile(s.db, principal.psp, id));
  if (!file || (principal.kind === 'client' && file.account !== principal.account)) throw notFound();
  return file;
}

export const listCdrFiles = operation({
  id: 'listCdrFiles',
  method: 'GET',
  path: '/v1/telecom/file',
  tag: 'Telecom',
  summary: 'List call detail files that were picked up',
  audience: ['psp', 'client', 'operator'],
  query: Type.Object({ ...pageQuery, state: Type.Optional(FileStateName) }),
  content: Page(FileResource),
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf, query, now }, s: Needs<'db'> & HasAccounts) {
    const { limit, before } = readPage('cdrFile', query);
    const account = await listedAccount(s, principal, onBehalfOf);
    if (account instanceof Refusal) throw account;
    const psp = principal.kind === 'operator' ? undefined : principal.psp;
    const rows = await listFiles(s.db, { psp, account, state: query.state, before, limit });
    return { message: 'call detail files', content: page('cdrFile', rows, limit, (f) => fileResource(f, now)) };
  },
});

/** With what became of its rejected lines. */
async function detail(s: Needs<'db'>, call: Pick<Call, 'now'>, file: CdrFile) {
  const n = await countSuspended(s.db, file);
  return {
    ...fileResource(file, call.now),
    suspense: {
      open: n.OPEN,
      corrected: n.CORRECTED,
      writtenOff: n.WRITTEN_OFF,
      notKept: file.tally.counts.rejected - n.OPEN - n.CORRECTED - n.WRITTEN_OFF,
    },
  };
}

export const getCdrFile = operation({
  id: 'getCdrFile',
  method: 'GET',
  path: '/v1/telecom/file/:fileId',
  tag: 'Telecom',
  summary: 'A call detail file with its progress',
  audience: ['psp', 'client'],
  content: Extended(
    FileResource,
    'CallDetailFileDetail',
    'A file of call detail records, with its rejected lines by state.',
    {
      suspense: SuspenseCounts,
    },
  ),
  refusals: ['NOT_FOUND'],
  handle: async (call, s: Needs<'db'>) => ({
    message: 'call detail file found',
    content: await detail(s, call, await fileOf(s, call)),
  }),
});

const after = Type.Optional(Type.Integer({ description: '`nextAfter` of the previous page.', minimum: 0 }));

export const listCdrFileErrors = operation({
  id: 'listCdrFileErrors',
  method: 'GET',
  path: '/v1/telecom/file/:fileId/errors',
  tag: 'Telecom',
  summary: 'Errors and warnings of a call detail file, by line',
  description:
    'The errors of the first 100,000 rejected lines and the warnings of the first 10,000 lines with warnings; the file counts all of them by code. Findings about the file as a whole come first.',
  audience: ['psp', 'client'],
  query: Type.Object({ limit: pageQuery.limit, after }),
  content: Named('CallDetailFindingPage', 'One page of findings, in the order of the file.', {
    items: Type.Array(FindingResource),
    nextAfter: Type.Union([Type.Integer(), Type.Null()]),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { query } = call;
    const file = await fileOf(s, call);
    const lines = query.limit ?? 50;
    const found = await listFindings(s.db, file, query.after ?? 0, lines);
    const whole = query.after === undefined ? file.findings : [];
    const nextAfter = found.length === lines ? (found.at(-1)?.[0]?.line ?? null) : null;
    return {
      message: 'errors and warnings',
      content: { items: [...whole, ...found.flat()].map(shownFinding), nextAfter },
    };
  },
});

/** Lines of one reply, so that it stays within some megabytes. */
const csvLines = 10_000;

export const getRejectedCsv = operation({
  id: 'getRejectedCsv',
  method: 'GET',
  path: '/v1/telecom/file/:fileId/rejected.csv',
  tag: 'Telecom',
  summary: 'Rejected lines of a call detail file as CSV, to be corrected and sent again',
  description:
    'The lines as received, under the header of their file, without those that were corrected or written off. Cells are not escaped for spreadsheets, because they must be sent back unchanged. At most 10,000 lines per response; the header x-next-after gives the `after` of the next request.',
  audience: ['psp', 'client'],
  query: Type.Object({ after }),
  produces: 'text/csv',
  content: Type.String(),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'vault'>) {
    const { query } = call;
    const file = await fileOf(s, call);
    const lines = await listSuspended(s.db, file, query.after ?? 0, csvLines, 'OPEN');
    const raw = lines.map((l) => rawOf(s.vault, file, l)).filter((l) => l !== undefined);
    const last = lines.length === csvLines ? lines.at(-1) : undefined;
    return {
      message: 'rejected lines',
      content: undefined,
      text: [file.header ?? '', ...raw, ''].join('\r\n'),
      ...(last ? { headers: { 'x-next-after': String(last.line) } } : {}),
    };
  },
});
