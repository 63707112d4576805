// The tree a client sees: /cdr/incoming and /cdr/status with their files, and nothing else. A path is split into
// segments and never becomes a path of the machine.
import { type DropFolder, isDropName } from '../../modules/telecom/index.ts';

export type Place =
  | { readonly at: 'root' | 'cdr' | DropFolder }
  | { readonly at: 'file'; readonly folder: DropFolder; readonly name: string };

/** Contents of the folders; the files in `incoming` and `status` come from the drop. */
export const subfolders = { root: ['cdr'], cdr: ['incoming', 'status'], incoming: [], status: [] } as const;

const longestPath = 4096;

/** The segments of a path from the root; `..` goes up, and stays at the root. */
function segments(path: string): string[] {
  const out: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') out.pop();
    else if (part !== '' && part !== '.') out.push(part);
  }
  return out;
}

/** The path in its shortest form, whether or not it exists; the tree has no links. */
export const canonicalPath = (path: string): string => `/${segments(path.slice(0, longestPath)).join('/')}`;

/** Undefined for a path that cannot be in the tree. */
export function placeOf(path: string): Place | undefined {
  if (path.length > longestPath) return undefined;
  const [top, folder, name, ...more] = segments(path);
  if (top === undefined) return { at: 'root' };
  if (top !== 'cdr' || more.length > 0) return undefined;
  if (folder === undefined) return { at: 'cdr' };
  if (folder !== 'incoming' && folder !== 'status') return undefined;
  if (name === undefined) return { at: folder };
  return isDropName(name) ? { at: 'file', folder, name } : undefined;
}
