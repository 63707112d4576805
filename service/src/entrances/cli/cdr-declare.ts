// assay cdr declare and declarations: what an operator declared to its authority, from a CSV file.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readDeclarationCsv } from '../../core/cdr/declaration-csv.ts';
import { accountFromWire } from '../../core/ids.ts';
import { notFound, Refusal, refuse } from '../../core/refusal.ts';
import { findAnyAccount } from '../../modules/accounts/index.ts';
import {
  DeclarationBody,
  type DeclarationInput,
  declarationResource,
  declaring,
  listDeclarations,
} from '../../modules/telecom/index.ts';
import { readBody, type Schema } from '../http/reader.ts';
import { add, needed, option, wholeNumber } from './command.ts';
import { named, UsageError } from './exit-codes.ts';
import type { Output } from './output.ts';
import { type Session, withSession } from './session.ts';

async function whose({ services: s }: Session, wireId: string): Promise<{ psp: string; account: string }> {
  const id = accountFromWire(wireId);
  const account = id && (await findAnyAccount(s.db, id));
  if (!account) throw notFound();
  return { psp: account.psp, account: account.id };
}

function textOf({ around }: Output, file: string): string {
  try {
    return readFileSync(resolve(around.cwd, file), 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}`);
  }
}

/** The same checks and the same command as over HTTP. @throws Refusal naming line and column of the file */
async function declare(session: Session, account: string, period: string, text: string) {
  const { services: s, principal, now } = session;
  const file = readDeclarationCsv(text);
  if (file instanceof Refusal) throw file;
  try {
    const read = readBody(DeclarationBody as Schema, { period, lines: [...file.lines] });
    if (read instanceof Refusal) throw read;
    const command = declaring(s, principal, await whose(session, account), read.value as DeclarationInput, now);
    const { content } = await s.committer.submit(command);
    return content as { declarationId: string; period: string; revision: number; status: string };
  } catch (e) {
    throw e instanceof Refusal ? named(refuse(e.code, file.inFile(e.message), e.retryAfterS)) : e;
  }
}

/** @param cdr the group `assay cdr` */
export function declarationCommands(cdr: Command): void {
  add<{ client: string; period: string }>(
    cdr,
    'declare <file.csv>',
    'record what an operator declared to its authority for a month',
    [needed('--client <accountId>', 'the client or PSP whose figures they are'), needed('--period <YYYY-MM>', 'month')],
    (out, { client, period }, file) =>
      withSession(out, async (session) => {
        const done = await declare(session, client, period, textOf(out, file as string));
        out.result(done, () =>
          out.line(
            done.status === 'UNCHANGED'
              ? `${done.declarationId} has the same figures already`
              : `${done.declarationId} is in force for ${done.period}, revision ${done.revision}`,
          ),
        );
      }),
  );
  add<{ client: string; period?: string; limit: number }>(
    cdr,
    'declarations',
    'list what an operator declared, newest first',
    [
      needed('--client <accountId>', 'the client or PSP'),
      option('--period <YYYY-MM>', 'only of this month'),
      option('--limit <n>', 'most declarations to list').argParser(wholeNumber(1, 10_000)).default(100),
    ],
    (out, { client, period, limit }) =>
      withSession(out, async (session) => {
        const of = await whose(session, client);
        const items = (await listDeclarations(session.services.db, { ...of, period, limit })).map(declarationResource);
        out.result({ items }, () =>
          out.table(
            [
              { title: 'Declaration', value: (d) => d.declarationId },
              { title: 'Period', value: (d) => d.period },
              { title: 'Revision', value: (d) => d.revision, right: true },
              { title: 'In force', value: (d) => d.current },
              { title: 'Lines', value: (d) => d.lineCount, right: true },
              { title: 'Recorded', value: (d) => d.createdAt },
            ],
            items,
          ),
        );
      }),
  );
}
