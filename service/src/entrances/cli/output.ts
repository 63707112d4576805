// What the command line prints: one JSON document, or lines and tables for a person. Results go to stdout,
// remarks to stderr; secrets are printed only where a command hands one out, once.
import { shownPlainly } from '../../core/characters.ts';
import type { Surroundings } from './surroundings.ts';

export interface Column<R> {
  readonly title: string;
  readonly value: (row: R) => unknown;
  readonly right?: boolean;
}

export interface Output {
  readonly json: boolean;
  /** What the command that prints here finds around it. */
  readonly around: Surroundings;
  /** The result: the value as JSON, else what `show` prints. */
  result(value: unknown, show: () => void): void;
  line(text?: string): void;
  /** Name and value, aligned. */
  facts(facts: readonly (readonly [string, unknown])[]): void;
  table<R>(columns: readonly Column<R>[], rows: readonly R[]): void;
  /** To stderr: never part of the result. */
  remark(text: string): void;
}

/** A value as one line of text; no character of a stored name can steer the terminal or turn its neighbours round. */
const cell = (v: unknown): string =>
  v === null || v === undefined
    ? '-'
    : typeof v === 'boolean'
      ? v
        ? 'yes'
        : 'no'
      : shownPlainly(String(v).replace(/[\t\r\n]/g, ' '));

/** The same document for a program, and harmless on a terminal. */
const jsonOf = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Columns a text takes; names may hold letters outside the basic plane and combining marks. */
const width = (text: string): number => [...text.normalize('NFC')].filter((c) => !/\p{M}/u.test(c)).length;

export function makeOutput(json: boolean, around: Surroundings): Output {
  const out = (text: string) => void around.stdout.write(text);
  const line = (text = '') => out(`${shownPlainly(text.trimEnd(), true)}\n`);
  return {
    json,
    around,
    line,
    remark: (text) => void around.stderr.write(`${shownPlainly(text, true)}\n`),
    result(value, show) {
      if (json) out(`${jsonOf(value)}\n`);
      else show();
    },
    facts(facts) {
      const widest = Math.max(0, ...facts.map(([name]) => width(name)));
      for (const [name, value] of facts) line(`${name.padEnd(widest)}  ${cell(value)}`);
    },
    table(columns, rows) {
      const cells = rows.map((r) => columns.map((c) => cell(c.value(r))));
      const widths = columns.map((c, i) => Math.max(width(c.title), ...cells.map((r) => width(r[i] as string))));
      const write = (texts: readonly string[]) =>
        line(
          texts
            .map((t, i) => {
              const gap = ' '.repeat((widths[i] as number) - width(t));
              return columns[i]?.right ? gap + t : t + gap;
            })
            .join('  '),
        );
      write(columns.map((c) => c.title));
      write(widths.map((w) => '-'.repeat(w)));
      for (const r of cells) write(r);
    },
  };
}
