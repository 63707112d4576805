// The operations on players; operations.ts has them all.
import { endExclusion } from '../../modules/players/operations/end-exclusion.ts';
import { excludePlayer } from '../../modules/players/operations/exclude-player.ts';
import { getPlayer } from '../../modules/players/operations/get-player.ts';
import { getPlayerPolicy } from '../../modules/players/operations/get-player-policy.ts';
import { importExclusions } from '../../modules/players/operations/import-exclusions.ts';
import { listPlayerRestrictions } from '../../modules/players/operations/list-player-restrictions.ts';
import { playerBalance } from '../../modules/players/operations/player-balance.ts';
import { setPlayerLimits } from '../../modules/players/operations/set-player-limits.ts';
import { setPlayerPolicy } from '../../modules/players/operations/set-player-policy.ts';

export const playerOperations = [
  getPlayerPolicy,
  setPlayerPolicy,
  excludePlayer,
  endExclusion,
  setPlayerLimits,
  listPlayerRestrictions,
  getPlayer,
  playerBalance,
  importExclusions,
];
