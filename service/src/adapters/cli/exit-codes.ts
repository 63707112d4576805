// The command line's exit codes and error messages. Maps errors; never ends the process itself.
import { CommanderError } from 'commander';
import { Refusal, refuse } from '../../core/refusal.ts';
import { Interrupted, UsageError } from './surroundings.ts';

export { UsageError };

export const exitCodes = {
  ok: 0,
  fault: 1,
  usage: 2,
  refused: 3,
  /** 128 plus SIGINT, which shells report for a program ended by Ctrl-C. */
  interrupted: 130,
} as const;

export const exitHelp = `
Exit codes:
  0  done
  1  fault: a setting, the database or the program is broken
  2  usage: unknown command or option, missing or malformed argument
  3  refused: the service says no (not found, state, a field's value); nothing was changed

With --json one JSON document stands on stdout: the result, or
{"success":false,"code":"…","message":"…"} where the call was refused or broke.`;

/** A failed check: its result has been printed, and the exit code reports the failure. */
export class Unsound extends Error {}

export interface Outcome {
  readonly exitCode: number;
  readonly code: string;
  /** Empty if commander has printed it already. */
  readonly message: string;
}

export function outcomeOf(error: unknown): Outcome {
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage, code: 'USAGE', message: '' };
  if (error instanceof Interrupted) return { exitCode: exitCodes.interrupted, code: 'INTERRUPTED', message: '' };
  if (error instanceof UsageError) return { exitCode: exitCodes.usage, code: 'USAGE', message: error.message };
  if (error instanceof Unsound) return { exitCode: exitCodes.fault, code: 'UNSOUND', message: error.message };
  if (error instanceof Refusal)
    return {
      exitCode: error.kind === 'unavailable' ? exitCodes.fault : exitCodes.refused,
      code: error.code,
      message: error.message,
    };
  const causes: string[] = [];
  for (let c: unknown = error; c instanceof Error && causes.length < 4; c = c.cause)
    causes.push(c.message || (c as { code?: string }).code || c.name);
  return { exitCode: exitCodes.fault, code: 'FAULT', message: causes.join('; because ') || String(error) };
}

/**
 * Replaces the names of fields in a refusal by the names of options.
 * @param options fields whose option has another name: `{ countryCode: '--country' }`
 */
export const named = (r: Refusal, options: Readonly<Record<string, string>> = {}): Refusal =>
  refuse(
    r.code,
    r.message.replace(
      /\bthe (?:field|query parameter) '([\w.]+)'/g,
      (whole, field: string) => options[field] ?? (field.includes('.') ? whole : `--${field}`),
    ),
    r.retryAfterS,
  );
