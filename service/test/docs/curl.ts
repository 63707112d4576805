// curl for the pages in tests: a machine that runs them need not have it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Answer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** As much of curl as the pages use: prints the body, and fails where the answer is no success. */
export async function curl(words: readonly string[], folder: string): Promise<Answer> {
  const args = [...words];
  const next = () => args.shift() as string;
  const headers: Record<string, string> = {};
  let method: string | undefined;
  let body: string | undefined;
  let url = '';
  while (args.length > 0) {
    const a = next();
    if (a === '-s') continue;
    if (a === '-H') {
      const [name, ...value] = next().split(': ');
      headers[name as string] = value.join(': ');
    } else if (a === '-d') {
      const given = next();
      body = given.startsWith('@') ? readFileSync(join(folder, given.slice(1)), 'utf8') : given;
    } else if (a === '-X') method = next();
    else if (a.startsWith('-')) throw new Error(`the pages use ${a}, which this does not know`);
    else url = a;
  }
  const r = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return { exitCode: r.ok ? 0 : 22, stdout: await r.text(), stderr: '' };
}
