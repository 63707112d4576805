// How every command is built: --json, and an action that is given its output.
import { Command, InvalidArgumentError, Option } from 'commander';
import { makeOutput, type Output } from './output.ts';
import type { Surroundings } from './surroundings.ts';

/** The command line as a whole, and what its commands find around them. */
export class Program extends Command {
  readonly around: Surroundings;

  constructor(around: Surroundings) {
    super('assay');
    this.around = around;
  }

  /** @throws where the command belongs to no program */
  static of(command: Command): Program {
    let top = command;
    while (top.parent) top = top.parent;
    if (top instanceof Program) return top;
    throw new Error(`the command ${command.name()} belongs to no program`);
  }
}

/**
 * Adds a command to a group.
 * @param words name and arguments: `show <accountId>`
 */
export function add<O extends object = object>(
  group: Command,
  words: string,
  description: string,
  options: readonly Option[],
  run: (out: Output, options: O, ...args: string[]) => void | Promise<void>,
): Command {
  const command = group.command(words).description(description);
  for (const o of options) command.addOption(o);
  command.option('--json', 'print one JSON document');
  return command.action(async (...given: unknown[]) => {
    const args = given.slice(0, -2) as string[];
    const opts = command.opts<O & { json?: boolean }>();
    await run(makeOutput(opts.json === true, Program.of(command).around), opts, ...args);
  });
}

export const group = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description);

export const option = (flags: string, description: string): Option => new Option(flags, description);
export const needed = (flags: string, description: string): Option =>
  new Option(flags, description).makeOptionMandatory();

/** A moment with its zone, as ISO UTC; a date alone is its first moment in UTC. */
export function moment(text: string): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const whole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const ms = day || whole ? Date.parse(day ? `${text}T00:00:00Z` : text) : Number.NaN;
  if (Number.isNaN(ms) || new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().slice(0, 10) !== text.slice(0, 10))
    throw new InvalidArgumentError('A date (2026-12-01) or a time with its zone (2026-12-01T00:00:00Z) is expected.');
  return new Date(ms).toISOString();
}

export function calendarDate(text: string): string {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('A date such as 2026-12-01 is expected.');
  return text;
}

export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const n = Number(text);
    if (!/^\d+$/.test(text) || n < min || n > max)
      throw new InvalidArgumentError(`A whole number from ${min} to ${max} is expected.`);
    return n;
  };
}
