// The log of a command: warnings and errors, printed beside the result.
import { makeLog } from '../../platform/log.ts';
import type { Settings } from '../../settings.ts';
import type { CommandEnvironment } from './surroundings.ts';

export const commandLog = (around: CommandEnvironment, { logLevel }: Settings) =>
  makeLog(logLevel === 'silent' ? 'silent' : 'warn', around.stderr);
