// Transactions that were decided on given days: those made about then, and those decided again later, which are found by
// the days that are kept of them.

/** Numbers of two parameters of a statement. */
type Pair = readonly [from: number, to: number];

/**
 * SQL: two conditions, which no row meets both. `$1` is the PSP; the day of the decision itself is compared by the caller.
 * @param id the column with the transaction's id
 * @param days the first and the last day
 * @param moments between which whatever was not decided again was made, as `widely` has them
 */
export function madeOrRedated(id: string, days: Pair, moments: Pair): readonly [made: string, redated: string] {
  const made = `${id} >= uuid_floor($${moments[0]}) AND ${id} < uuid_floor($${moments[1]})`;
  const kept = `SELECT transaction_id FROM redated_transactions r
    WHERE r.psp_id = $1 AND r.day BETWEEN $${days[0]}::date AND $${days[1]}::date`;
  return [made, `NOT (${made}) AND ${id} IN (${kept})`];
}
