// The standings that affect a caller: its account's, its PSP's and, for a test account, those of the live accounts it
// was made for. Read with each key and session, so that a change takes effect within a second.
import { strictest } from '../../core/standing.ts';

/** Joins to `accounts a`: the PSP as `t`, and the live accounts of both if they are test accounts. */
export const standingsJoins = `JOIN accounts t ON t.psp_id = a.psp_id AND t.id = a.psp_id
  LEFT JOIN accounts la ON la.psp_id = t.test_of AND la.id = a.test_of
  LEFT JOIN accounts lt ON lt.psp_id = t.test_of AND lt.id = t.test_of`;
export const standingsColumn = `concat_ws(' ', a.operational_standing, t.operational_standing, la.operational_standing,
  lt.operational_standing) AS standings`;

export function strictestOf(r: { readonly standings: string }): { standing?: 'SUSPENDED' | 'CLOSED' } {
  const standing = strictest(r.standings.split(' '));
  return standing === undefined ? {} : { standing };
}
