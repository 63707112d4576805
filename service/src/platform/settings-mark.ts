// Tells processes on one database whether they have the same settings, without saying which: some digits of the digest of
// each one that has to be alike, which fit in the name of a connection.
import { createHash } from 'node:crypto';

const digits = 4;

/** Values by the name of their setting, always in the same order. */
type AlikeSettings = Readonly<Record<string, string>>;

export const markOf = (alike: AlikeSettings): string =>
  Object.entries(alike)
    .map(([name, value]) => createHash('sha256').update(`${name}=${value}`).digest('hex').slice(0, digits))
    .join('');

/** Names of the settings in which a process with this mark differs; none for a mark of another version. */
export function apart(alike: AlikeSettings, mark: string): string[] {
  const own = markOf(alike);
  if (mark.length !== own.length) return [];
  return Object.keys(alike).filter((_, i) => {
    const at = i * digits;
    return own.slice(at, at + digits) !== mark.slice(at, at + digits);
  });
}
