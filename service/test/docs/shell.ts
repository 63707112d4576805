// A shell for lines printed on a page. Bash runs the line as written; `npx assay`, `npm run assay` and `curl` are small
// scripts that pass their arguments to this process, which runs them: separate processes would spend their time loading
// the same modules.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { assay } from '../../src/adapters/cli/assay.ts';
import { clean, surroundings } from '../cli/run.ts';
import { type Answer, curl } from './curl.ts';

export interface Shell {
  /** Runs a line in the shell's folder. @param env beside the path */
  run(line: string, env: Readonly<Record<string, string>>): Promise<{ exitCode: number; said: string }>;
  stop(): Promise<void>;
}

/** Tells words, settings and input by files, and the place of these by a connection; is answered with the exit code. */
const script = `#!/usr/bin/env bash
at=$(mktemp -d "$CALLS/XXXXXXXX")
printf '%s\\0' "\${0##*/}" "$@" > "$at/words"
env -0 > "$at/env"
cat > "$at/stdin"
exec 3<>"/dev/tcp/127.0.0.1/$CALLS_PORT"
printf '%s\\n' "$at" >&3
read -r code <&3
cat "$at/stdout"
cat "$at/stderr" >&2
exit "$code"
`;

interface Call {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
}

/** @param folder holds the files that lines speak of, and the scripts */
export async function startShell(folder: string): Promise<Shell> {
  const programs = join(folder, 'programs');
  const calls = join(folder, 'calls');
  for (const f of [programs, calls]) mkdirSync(f);
  for (const name of ['npx', 'npm', 'curl']) {
    writeFileSync(join(programs, name), script);
    chmodSync(join(programs, name), 0o755);
  }
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = String((server.address() as AddressInfo).port);
  return {
    run: (line, env) =>
      new Promise((resolve) => {
        const path = [programs, process.env.PATH].join(delimiter);
        const options = {
          cwd: folder,
          env: { ...clean(env), PATH: path, CALLS: calls, CALLS_PORT: port },
          timeout: 300_000,
        };
        const child = execFile('bash', ['--norc', '-c', line], options, (error, stdout, stderr) =>
          resolve({ exitCode: error === null ? 0 : Number(error.code ?? -1), said: `${stdout}${stderr}` }),
        );
        child.stdin?.end();
      }),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Answers one script: what it asks is done before it hears the exit code. */
function serve(socket: Socket): void {
  createInterface({ input: socket }).once('line', async (at) => {
    const list = (file: string) => readFileSync(join(at, file), 'utf8').split('\0').slice(0, -1);
    const env = Object.fromEntries(list('env').map((e) => [e.slice(0, e.indexOf('=')), e.slice(e.indexOf('=') + 1)]));
    const [program, ...words] = list('words');
    const done = await answer(program as string, { words, env, stdin: readFileSync(join(at, 'stdin'), 'utf8') }).catch(
      (e: Error): Answer => ({ exitCode: 127, stdout: '', stderr: `${e.stack}\n` }),
    );
    writeFileSync(join(at, 'stdout'), done.stdout);
    writeFileSync(join(at, 'stderr'), done.stderr);
    socket.end(`${done.exitCode}\n`);
  });
}

async function answer(program: string, call: Call): Promise<Answer> {
  if (program === 'curl') return await curl(call.words, call.env.PWD as string);
  const named = program === 'npx' ? ['assay'] : ['run', 'assay', '--'];
  if (named.some((word, i) => call.words[i] !== word))
    throw new Error(`the pages use ${program} ${call.words.join(' ')}, which this does not know`);
  const { around, written } = surroundings({ env: call.env, cwd: call.env.PWD as string, stdin: () => call.stdin });
  return { exitCode: await assay(call.words.slice(named.length), around), ...written };
}
