// Builds commands: with --json, an action that receives its output, and for most commands the call of one operation.
import type { Output as Answer, OperationId, OperationRow } from '@assay/client';
import { operations } from '@assay/client';
import { Command, InvalidArgumentError, Option } from 'commander';
import { makeOutput, type Output } from './output.ts';
import { type Session, withSession } from './session.ts';
import type { CommandEnvironment } from './surroundings.ts';

export type { Command } from 'commander';

/** The whole command line, with the surroundings of its commands. */
export class Program extends Command {
  readonly around: CommandEnvironment;

  constructor(around: CommandEnvironment) {
    super('assay');
    this.around = around;
  }

  /** @throws Error if the command belongs to no program */
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

/** An option, with the name of the operation's field that it sets if the names differ. */
export class Field extends Option {
  readonly field: string;

  constructor(flags: string, description: string, field?: string) {
    super(flags, description);
    this.field = field ?? this.attributeName();
  }
}

export const option = (flags: string, description: string, field?: string): Field =>
  new Field(flags, description, field);
export const needed = (flags: string, description: string, field?: string): Field =>
  option(flags, description, field).makeOptionMandatory();

/** The option for the reason that every change requires. */
export const reason = () => needed('--reason <text>', 'why; kept in the journal');

type Fields = Record<string, unknown>;

/** How a command calls its operation. */
interface Call<O extends OperationId> {
  /** The argument or field whose owner the operation is called for: staff call operations of a PSP or client. */
  readonly as?: string;
  /** @throws UsageError */
  readonly check?: (given: Fields) => void;
  /** Returns the fields of the request, if they differ from the arguments and options. */
  readonly fields?: (given: Fields, session: Session, out: Output) => Fields | Promise<Fields>;
  /** Lists as many entries as --limit says, from several pages if needed. */
  readonly listed?: boolean;
  /** Printed to stderr after the result. */
  readonly remark?: string | ((content: Answer<O>) => string | undefined);
  /** Returns the JSON to print, if it is not the whole content. */
  readonly shape?: (content: Answer<O>) => unknown;
  /** Prints the content for a person. */
  readonly show: (out: Output, content: Answer<O>) => void;
}

/** Adds a command that calls an operation with its arguments and options as fields. */
export function call<O extends OperationId>(
  group: Command,
  words: string,
  description: string,
  options: readonly Field[],
  id: O,
  how: Call<O>,
): Command {
  const names = [...words.matchAll(/[<[]([\w-]+)/g)].map((m) => m[1] as string);
  return add<Record<string, unknown>>(group, words, description, options, (out, typed, ...args) => {
    const given: Fields = {};
    names.forEach((name, i) => {
      given[name] = args[i];
    });
    for (const o of options) given[o.field] = typed[o.attributeName()];
    // Wrong usage is reported before the service is called.
    how.check?.(given);
    return withSession(out, async (session) => {
      const fields = (await how.fields?.(given, session, out)) ?? given;
      const content = await asked(session, id, how, fields, optionsOf(names, options));
      out.result(how.shape ? how.shape(content) : content, () => how.show(out, content));
      if (how.listed) more(out, content as unknown as { nextCursor: string | null });
      const remark = typeof how.remark === 'function' ? how.remark(content) : how.remark;
      if (remark !== undefined) out.remark(remark);
    });
  });
}

/** Prints how to continue a list. */
export function more(out: Output, { nextCursor }: { readonly nextCursor: string | null }): void {
  if (nextCursor !== null) out.remark(`there are more; go on with --cursor ${nextCursor}`);
}

/** Names of arguments and options by the operation's fields. */
const optionsOf = (names: readonly string[], options: readonly Field[]): Record<string, string> =>
  Object.fromEntries([
    ...names.map((name) => [name, `<${name}>`]),
    ...options.map((o) => [o.field, o.long ?? `--${o.field}`]),
  ]);

async function asked<O extends OperationId>(
  session: Session,
  id: O,
  { as, listed }: Call<O>,
  { ...given }: Fields,
  options: Readonly<Record<string, string>>,
): Promise<Answer<O>> {
  const whose = as === undefined || given[as] === undefined ? undefined : await session.owner(String(given[as]));
  const row: OperationRow = operations[id];
  if (as !== undefined && !row.inPath?.includes(as)) delete given[as];
  if (listed)
    return session.list(id, given, (given.limit as number | undefined) ?? Number.POSITIVE_INFINITY, {
      as: whose,
      options,
    });
  return session.ask(id, given, { as: whose, options });
}

/** The options of a list: its limit, from 1 to `most`, and its cursor. */
export const paged = (usual: number, most: number, what = 'entries') => [
  option('--limit <n>', `most ${what} to list`).argParser(wholeNumber(1, most)).default(usual),
  option('--cursor <cursor>', 'go on after the page before: its nextCursor'),
];

/** Reads a time with its zone, as ISO UTC; a date alone is its first moment in UTC. */
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
