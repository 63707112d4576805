// A Python process that uses the Python client as a test tells it, one call after another.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const program = join(import.meta.dirname, '../../../client-python/test/answer.py');

export interface PythonProcess {
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever it says
  ask(what: Readonly<Record<string, unknown>>): Promise<any>;
  stop(): void;
}

/** @throws Error if there is no python3 of version 3.11 or later */
export async function startPython(): Promise<PythonProcess> {
  await version();
  // -W error: what Python warns of is a fault of the client.
  const child = spawn('python3', ['-W', 'error', '-B', program], { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', () => reject(new Error(`the Python program ended: ${said}`)));
  });
  ended.catch(() => undefined);
  child.stdin.on('error', () => undefined);
  let turn: Promise<unknown> = Promise.resolve();
  return {
    ask(what) {
      const answer = turn.then(async () => {
        child.stdin.write(`${JSON.stringify(what)}\n`);
        const { value, done } = await Promise.race([lines.next(), ended]);
        if (done) return await ended;
        return JSON.parse(value as string);
      });
      turn = answer.catch(() => undefined);
      return answer;
    },
    stop: () => void child.kill(),
  };
}

function version(): Promise<void> {
  const needed = 'these tests need python3 of version 3.11 or later on the PATH, without any package';
  return new Promise((resolve, reject) => {
    const check = 'import sys; sys.exit(sys.version_info < (3, 11))';
    const child: ChildProcess = spawn('python3', ['-c', check], { stdio: 'ignore' });
    child.once('error', (cause) => reject(new Error(needed, { cause })));
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(needed))));
  });
}
