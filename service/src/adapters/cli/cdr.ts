// assay cdr: call detail files and their lines, totals, months and declarations.
import { setTimeout as pause } from 'node:timers/promises';
import { readDeclarationCsv } from '../../core/cdr/declaration-csv.ts';
import { orThrow, Refusal, refuse } from '../../core/refusal.ts';
import { showFile, showFiles, showTotals } from './cdr-view.ts';
import { add, type Command, call, group, needed, option, paged, reason } from './command.ts';
import { UsageError } from './exit-codes.ts';
import { type Session, withSession } from './session.ts';
import { textOf } from './surroundings.ts';

const lookMs = 100;
/** Polls without progress after which waiting ends. */
const mostLooks = 600;

/** Imported only when needed, since it loads most of the service. */
const onThisMachine = () => import('./cdr-local.ts');
const client = (what = 'the client or PSP') => needed('--client <accountId>', what);

/** Waits until the service has processed all files, or makes no more progress. */
async function worked(session: Session): Promise<void> {
  let before = '';
  for (let looks = 0; looks < mostLooks; looks++) {
    const files = [];
    for (const state of ['QUEUED', 'PROCESSING'])
      files.push(...(await session.list('listCdrFiles', { state }, Number.POSITIVE_INFINITY)).items);
    if (files.length === 0) return;
    const now = JSON.stringify(files.map((f) => [f.fileId, f.state, f.progress.done]));
    if (now !== before) looks = 0;
    before = now;
    await pause(lookMs);
  }
}

function checkMonth({ period }: Record<string, unknown>): void {
  if (period !== undefined && !/^\d{4}-(0[1-9]|1[0-2])$/.test(String(period)))
    throw new UsageError(`a month such as 2026-10 is expected, not '${period}'`);
}

export function cdrCommands(program: Command): void {
  const cdr = group(program, 'cdr', 'call detail files');
  call(
    cdr,
    'files',
    'list call detail files, newest first',
    [option('--client <accountId>', 'only of this client or PSP'), ...paged(100, 10_000, 'files')],
    'listCdrFiles',
    { as: 'client', listed: true, show: (out, { items }) => showFiles(out, items) },
  );
  call(cdr, 'show <fileId>', 'show a file, its progress and what is wrong in it', [], 'getCdrFile', {
    as: 'fileId',
    show: showFile,
  });
  add(cdr, 'pick-up', 'pick up finished files and work on them until they are done', [], (out) =>
    withSession(out, async (session) => {
      const done = await session.ask('pickUpCdrFiles');
      await worked(session);
      out.result(done, () => out.line(`${done.taken} taken; see: assay cdr files`));
    }),
  );
  call(
    cdr,
    'write-off <fileId>',
    'give up the open rejected lines of a file',
    [needed('--reason <text>', 'why; it is journalled')],
    'writeOffCdrLines',
    {
      as: 'fileId',
      check({ reason }) {
        const { length } = String(reason).trim();
        if (length === 0 || length > 500) throw new UsageError('--reason must have 1 to 500 characters');
      },
      show: (out, { writtenOff }) => out.line(`${writtenOff} lines written off`),
    },
  );
  add<{ reason: string }>(
    cdr,
    'withdraw <cdrIdOrFileId>',
    'withdraw a record, or all records of a file: they count no more; interrupted, it is simply run again',
    [reason()],
    (out, o, id = '') =>
      withSession(out, async (session) => {
        const { kind, pspId, clientId } = await session.ask('resolveId', { id });
        const as = { pspId: String(pspId), clientId: String(clientId) };
        if (kind !== 'cdrFile') {
          const done = await session.ask('withdrawCdr', { cdrId: id, ...o }, { as });
          out.result(done, () => out.line(`${id} is withdrawn`));
          return;
        }
        let withdrawn = 0;
        for (let after: number | null = 0; after !== null; ) {
          const input = { fileId: id, ...o, after };
          const portion: { withdrawn: number; next: number | null } = await session.ask('withdrawCdrFile', input, {
            as,
          });
          withdrawn += portion.withdrawn;
          after = portion.next;
        }
        out.result({ withdrawn }, () => out.line(`${withdrawn} records withdrawn`));
      }),
  );
  add(cdr, 'rebuild-status <fileId>', "write a file's status again from the database", [], async (out, _options, id) =>
    (await onThisMachine()).rebuildStatus(out, id as string),
  );
  add<{ to?: string }>(
    cdr,
    'archived <fileId>',
    'write a file as it came, which the archive keeps sealed',
    [option('--to <file>', 'file to write; without it one named after the file id, here')],
    async (out, { to }, id) => (await onThisMachine()).writeArchived(out, id as string, to),
  );
  add<{ rebuild?: true; psp?: string }>(
    cdr,
    'analyse',
    'class and tax what was recorded, until all of it is',
    [
      option('--rebuild', 'make everything again from the records, by the rules in force; closed months stay closed'),
      option('--psp <pspId>', 'only of this PSP'),
    ],
    async (out, { rebuild, psp }) => (await onThisMachine()).analyse(out, rebuild === true, psp),
  );
  call(
    cdr,
    'totals',
    'show the totals of an operator by month, class and tax',
    [client(), option('--period <YYYY-MM>', 'only of this month')],
    'listCdrTotals',
    {
      as: 'client',
      check: checkMonth,
      listed: true,
      show: (out, { items }) => showTotals(out, items),
      remark: ({ progress: p }) =>
        p.complete
          ? undefined
          : `Not all is analysed: ${p.read} of ${p.entries} entries read, ${p.setAside} set aside.`,
    },
  );
  call(cdr, 'periods', 'list the months of an operator', [client()], 'listCdrPeriods', {
    as: 'client',
    show: (out, { items }) =>
      out.table(items, [
        { title: 'Month', value: (p) => p.period },
        { title: 'State', value: (p) => p.state },
        { title: 'Records', value: (p) => p.records, right: true },
        { title: 'Late', value: (p) => p.late, right: true },
        { title: 'Closed', value: (p) => p.closedAt },
      ]),
  });
  call(
    cdr,
    'close-period <YYYY-MM>',
    'close a month of an operator: what comes later counts in the next',
    [client()],
    'closeCdrPeriod',
    {
      as: 'client',
      check: (given) => checkMonth({ period: given['YYYY-MM'] }),
      fields: ({ 'YYYY-MM': period, ...given }) => ({ ...given, period }),
      show: (out, { period }) => out.line(`${period} is closed`),
    },
  );
  declarationCommands(cdr);
}

function declarationCommands(cdr: Command): void {
  add<{ client: string; period: string }>(
    cdr,
    'declare <file.csv>',
    'record what an operator declared to its authority for a month',
    [client('the client or PSP whose figures they are'), needed('--period <YYYY-MM>', 'month')],
    (out, given, name) =>
      withSession(out, async (session) => {
        const file = orThrow(readDeclarationCsv(textOf(out.around, name as string)));
        const as = await session.owner(given.client);
        const body = { period: given.period, lines: file.lines };
        // Messages name lines by their number in the file.
        const done = await session.ask('declareCdr', body, { as, options: { period: '--period' } }).catch((e) => {
          throw e instanceof Refusal ? refuse(e.code, file.inFile(e.message), e.retryAfterS) : e;
        });
        out.result(done, () =>
          out.line(
            done.status === 'UNCHANGED'
              ? `${done.declarationId} has the same figures already`
              : `${done.declarationId} is in force for ${done.period}, revision ${done.revision}`,
          ),
        );
      }),
  );
  call(
    cdr,
    'declarations',
    'list what an operator declared, newest first',
    [client(), option('--period <YYYY-MM>', 'only of this month'), ...paged(100, 10_000, 'declarations')],
    'listCdrDeclarations',
    {
      as: 'client',
      listed: true,
      show: (out, { items }) =>
        out.table(items, [
          { title: 'Declaration', value: (d) => d.declarationId },
          { title: 'Period', value: (d) => d.period },
          { title: 'Revision', value: (d) => d.revision, right: true },
          { title: 'In force', value: (d) => d.current },
          { title: 'Lines', value: (d) => d.lineCount, right: true },
          { title: 'Recorded', value: (d) => d.createdAt },
        ]),
    },
  );
}
