// Structured logs: JSON lines with request ids, never a secret or personal data. Callers name each logged field; bodies
// and headers are never logged.
import { type Logger, pino } from 'pino';

export type Log = Logger;

export function makeLog(level: string, stream?: { write(line: string): void }): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return stream ? pino(options, stream) : pino(options, pino.destination({ dest: 2, sync: true }));
}

/** An error as log fields: the chain of causes, without enumerable properties that could contain values. */
export function errorFields(e: unknown): Record<string, unknown> {
  const chain: string[] = [];
  for (let c: unknown = e; c instanceof Error && chain.length < 5; c = c.cause) chain.push(`${c.name}: ${c.message}`);
  const code = (e as { code?: unknown })?.code;
  return {
    error: chain.length > 0 ? chain.join(' <- ') : String(e),
    ...(typeof code === 'string' ? { code } : {}),
    ...(e instanceof Error && e.stack
      ? {
          stack: e.stack
            .split('\n')
            .slice(1, 8)
            .map((l) => l.trim())
            .join(' | '),
        }
      : {}),
  };
}
