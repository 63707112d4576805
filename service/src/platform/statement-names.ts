// Names of prepared statements, by their text: only for texts in the sources, never for generated ones.
import { hash } from 'node:crypto';

const names = new Map<string, string>();
const mostNames = 500;
/** Others only open, close or set something. */
const isPlanned = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/;

/** The same name for the same text, wherever it is used; undefined for what is not worth preparing. */
export function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= mostNames || !isPlanned.test(text)) return known;
  const name = `assay_${hash('sha256', text, 'hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}
