// Until when a case is to be closed, and whether a second person must agree. Pure.
import { dayMs } from '../calendar.ts';
import { type Severity, severities } from '../risk/review.ts';

export interface CasePolicy {
  /** Working days by severity. */
  readonly dueDays: Readonly<Record<Severity, number>>;
  /** Severities whose cases one person may not close alone. */
  readonly secondPerson: readonly Severity[];
}

export const usualDueDays = { HIGH: 1, MEDIUM: 5, LOW: 15 } as const;

/** @param parts as `HIGH=1`; severities without one have the usual days */
export function dueDaysOf(parts: readonly string[]): CasePolicy['dueDays'] | Error {
  const days: Record<Severity, number> = { ...usualDueDays };
  for (const part of parts) {
    const [, severity, count] = /^(HIGH|MEDIUM|LOW)=(\d{1,3})$/.exec(part) ?? [];
    if (severity === undefined) return new Error(`must read HIGH=1,MEDIUM=5,LOW=15, with whole days; not '${part}'`);
    days[severity as Severity] = Number(count);
  }
  return days;
}

export const highest = (of: readonly Severity[]): Severity =>
  severities[Math.max(0, ...of.map((s) => severities.indexOf(s)))] ?? 'LOW';

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
