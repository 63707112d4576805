// assay standing: shows and sets whether an account may trade, and why. A change applies as soon as it is acknowledged.
import { operationalStandings, verificationLevels } from '../../core/standing.ts';
import { showAccount } from './account-view.ts';
import { showCommand } from './client.ts';
import { type Command, call, group, moment, needed, option, reason } from './command.ts';
import { UsageError } from './exit-codes.ts';

const caseless = (flags: string, description: string, values: readonly string[], field: string) =>
  option(flags, `${description}: ${values.join(', ')}`, field).argParser((text: string) => text.toUpperCase());
const time = (flags: string, description: string) => option(flags, description).argParser(moment);

export function standingCommands(program: Command): void {
  const standing = group(program, 'standing', 'standing and holds of PSPs and clients');
  showCommand(standing, 'accountId', 'standing, level and holds');
  call(
    standing,
    'set <accountId>',
    'change the operational standing or the verification level; CLOSED is final',
    [
      caseless('--standing <standing>', 'operational standing', operationalStandings, 'operationalStanding'),
      caseless('--level <level>', 'verification level', verificationLevels, 'verificationLevel'),
      reason(),
    ],
    'setStanding',
    {
      check({ operationalStanding, verificationLevel }) {
        if (operationalStanding === undefined && verificationLevel === undefined)
          throw new UsageError('--standing or --level is required');
      },
      show: showAccount,
    },
  );
  call(
    standing,
    'hold <accountId>',
    'place a dated hold; while in force it declines transactions',
    [
      needed('--code <code>', 'short code: SANCTIONS_REVIEW'),
      reason(),
      time('--from <time>', 'first moment; now without it'),
      time('--until <time>', 'first moment it no longer holds; open-ended without it'),
      option('--not-blocking', 'a remark that declines nothing'),
    ],
    'placeHold',
    {
      fields: ({ notBlocking, ...given }) => ({ ...given, ...(notBlocking ? { blocking: false } : {}) }),
      show: showAccount,
    },
  );
  call(standing, 'release <accountId> <holdId>', 'end a hold now', [reason()], 'releaseHold', { show: showAccount });
}
