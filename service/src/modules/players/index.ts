// What other modules may use of players.
export { checkPlayer, type PlayerMove, type PlayerVerdict } from './protection.ts';
export { playerFindingsReport } from './reports/player-findings.ts';
