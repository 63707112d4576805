// Finds the commands that the README and the pages tell a reader to type.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = 'docs/how-to';

export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'client/README.md',
  ...readdirSync(join(root, folder))
    .filter((f) => f.endsWith('.md'))
    .map((f) => `${folder}/${f}`),
];

/** A page's blocks of shell commands, in order. */
export const blocksOf = (page: string): readonly string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block as string);

/** Commands of a block, a line each; lines that go on are joined. */
export const commandsOf = (block: string): readonly string[] => {
  const commands: string[] = [];
  let open = '';
  for (const line of block.replaceAll(/\\\n\s*/g, ' ').split('\n')) {
    open += open === '' ? line : `\n${line}`;
    // A quoted body goes on over lines.
    if ((open.match(/'/g)?.length ?? 0) % 2 === 1) continue;
    if (open.trim() !== '') commands.push(open.trim());
    open = '';
  }
  return commands;
};
