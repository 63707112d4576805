// assay standing: whether an account may trade, and why. What is set holds from the moment it is acknowledged.
import { type Command, Option } from 'commander';
import { operationalStandings, verificationLevels } from '../../core/standing.ts';
import { placeHold, releaseHold, setStanding } from '../../modules/accounts/operations/administration.ts';
import type { ShownAccount } from './account-list.ts';
import { printAccount, readAccount } from './client.ts';
import { add, group, moment, needed, option } from './command.ts';
import { UsageError } from './exit-codes.ts';
import { withSession } from './session.ts';

const reason = () => needed('--reason <text>', 'why; kept in the journal');
const caseless = (flags: string, description: string, values: readonly string[]) =>
  new Option(flags, `${description}: ${values.join(', ')}`).argParser((text: string) => text.toUpperCase());

export function standingCommands(program: Command): void {
  const standing = group(program, 'standing', 'standing and holds of PSPs and clients');
  add(standing, 'show <accountId>', 'standing, level and holds', [], (out, _options, accountId) =>
    withSession(out, async (session) => printAccount(out, await readAccount(session, accountId as string))),
  );
  add<{ standing?: string; level?: string; reason: string }>(
    standing,
    'set <accountId>',
    'change the operational standing or the verification level; CLOSED is final',
    [
      caseless('--standing <standing>', 'operational standing', operationalStandings),
      caseless('--level <level>', 'verification level', verificationLevels),
      reason(),
    ],
    async (out, options, accountId) => {
      if (options.standing === undefined && options.level === undefined)
        throw new UsageError('--standing or --level is required');
      await withSession(out, async (session) => {
        const { content } = await session.ask(setStanding, {
          params: { accountId: accountId as string },
          body: {
            operationalStanding: options.standing,
            verificationLevel: options.level,
            reason: options.reason,
          },
          options: { operationalStanding: '--standing', verificationLevel: '--level' },
        });
        printAccount(out, content as ShownAccount);
      });
    },
  );
  add<{ code: string; reason: string; from?: string; until?: string; notBlocking?: boolean }>(
    standing,
    'hold <accountId>',
    'place a dated hold; while in force it declines transactions',
    [
      needed('--code <code>', 'short code: SANCTIONS_REVIEW'),
      reason(),
      option('--from <time>', 'first moment; now without it').argParser(moment),
      option('--until <time>', 'first moment it no longer holds; open-ended without it').argParser(moment),
      option('--not-blocking', 'a remark that declines nothing'),
    ],
    (out, options, accountId) =>
      withSession(out, async (session) => {
        const { content } = await session.ask(placeHold, {
          params: { accountId: accountId as string },
          body: {
            code: options.code,
            reason: options.reason,
            from: options.from,
            until: options.until,
            blocking: options.notBlocking === true ? false : undefined,
          },
        });
        printAccount(out, content as ShownAccount);
      }),
  );
  add<{ reason: string }>(
    standing,
    'release <accountId> <holdId>',
    'end a hold now',
    [reason()],
    (out, options, accountId, holdId) =>
      withSession(out, async (session) => {
        const { content } = await session.ask(releaseHold, {
          params: { accountId: accountId as string, holdId: holdId as string },
          body: { reason: options.reason },
        });
        printAccount(out, content as ShownAccount);
      }),
  );
}
