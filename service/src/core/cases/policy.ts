// Until when a case is to be closed, and whether a second person must agree. Pure.
import type { Severity } from '../risk/review.ts';

export interface CasePolicy {
  /** Working days by severity. */
  readonly dueDays: Readonly<Record<Severity, number>>;
  /** Severities whose cases one person may not close alone. */
  readonly secondPerson: readonly Severity[];
}

const order: readonly Severity[] = ['LOW', 'MEDIUM', 'HIGH'];
export const highest = (severities: readonly Severity[]): Severity =>
  order[Math.max(0, ...severities.map((s) => order.indexOf(s)))] ?? 'LOW';

const dayMs = 86_400_000;
/** Saturday or Sunday in UTC. */
const isWeekend = (ms: number) => [0, 6].includes(new Date(ms).getUTCDay());

/** The same time of day so many working days later, Monday to Friday in UTC. @param from ISO 8601 */
export function dueAfter(from: string, workingDays: number): string {
  let ms = Date.parse(from);
  for (let left = workingDays; left > 0; ) {
    ms += dayMs;
    if (!isWeekend(ms)) left--;
  }
  return new Date(ms).toISOString();
}
