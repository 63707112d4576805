// What the command line prints: one JSON document, or lines and tables for a person. Results go to stdout,
// remarks to stderr; secrets are printed only where a command hands one out, once.
import { shownPlainly } from '../../core/characters.ts';
import type { CommandEnvironment } from './surroundings.ts';

export interface Column<R> {
  readonly title: string;
  readonly value: (row: R) => unknown;
  readonly right?: boolean;
}

export interface Output {
  readonly json: boolean;
  /** The surroundings of the command that prints here. */
  readonly around: CommandEnvironment;
  /** Prints the result: with --json the value as JSON, otherwise what `show` prints. */
  result(value: unknown, show: () => void): void;
  line(text?: string): void;
  /** Prints names and values, aligned. */
  facts(facts: readonly (readonly [string, unknown])[]): void;
  table<R>(rows: readonly R[], columns: readonly Column<R>[]): void;
  /** Prints to stderr: never part of the result. */
  remark(text: string): void;
}

/** A value as one line of text, in which no character can control the terminal or change the direction of text. */
const cell = (v: unknown): string =>
  v === null || v === undefined
    ? '-'
    : typeof v === 'boolean'
      ? v
        ? 'yes'
        : 'no'
      : shownPlainly(String(v).replace(/[\t\r\n]/g, ' '));

/** JSON in which characters that control a terminal or the direction of text are escaped. */
const jsonOf = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Number of terminal columns of a text: code points without combining marks. */
const width = (text: string): number => [...text.normalize('NFC')].filter((c) => !/\p{M}/u.test(c)).length;

export function makeOutput(json: boolean, around: CommandEnvironment): Output {
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
    table(rows, columns) {
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
