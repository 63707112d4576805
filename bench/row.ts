// One figure of a benchmark beside what it is to reach: printed, and told to `run.ts` where that started the benchmark.

export interface Row {
  readonly what: string;
  readonly value: number;
  /** Digits after the point; 2 if not given, as for a ratio. */
  readonly digits?: number;
  /** None for a ratio. */
  readonly unit?: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** The figures that the value was chosen from, or what else a reader should know. */
  readonly note?: string;
}

export function tell(row: Row): void {
  console.log(shown(row));
  process.send?.(row);
}

export function shown({ what, value, digits = 2, unit = '', atLeast, atMost, note }: Row): string {
  const aim = atLeast === undefined ? (atMost === undefined ? '' : `at most ${atMost}`) : `at least ${atLeast}`;
  const missed = value < (atLeast ?? value) || value > (atMost ?? value);
  return `${what.padEnd(64)} ${value.toFixed(digits).padStart(8)} ${unit.padEnd(4)} ${aim.padEnd(15)} ${aim === '' ? '' : missed ? 'MISSED ' : 'reached'}${note ? `   (${note})` : ''}`;
}
