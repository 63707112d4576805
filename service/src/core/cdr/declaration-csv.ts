// A declaration as a CSV file: a header, and a line for each class, tax and currency. Errors name the line and column
// of the file.
import type { Json } from '../json.ts';
import { Numeral } from '../money.ts';
import { clip } from '../reference.ts';
import { Refusal, refuse, said } from '../refusal.ts';
import { isFault, splitFields } from './csv.ts';
import { declaredFigures } from './declaration.ts';

const names = ['class', 'taxCode', ...declaredFigures, 'currency'] as const;
/** The name of a column without case and separators: `taxCode`, `tax_code` and `TAX CODE` are the same. */
const plain = (name: string) => name.trim().toLowerCase().replace(/[_ -]/g, '');
const byName = new Map<string, string>(names.map((n) => [plain(n), n]));
const texts = new Set(['class', 'taxCode', 'currency']);

export interface DeclarationFile {
  /** The lines in their JSON form. */
  readonly lines: readonly Json[];
  /** Changes a message about `lines[3].tax` to name the line of the file. */
  inFile(message: string): string;
}

export function readDeclarationCsv(text: string): DeclarationFile | Refusal {
  const [first = '', ...rest] = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const header = readHeader(first);
  if (header instanceof Refusal) return header;
  const lines: Json[] = [];
  const places: number[] = [];
  for (const [i, line] of rest.entries()) {
    if (line.trim() === '') continue;
    const at = i + 2;
    const fields = splitFields(line);
    if (isFault(fields)) return refuse('BODY_MALFORMED', said`line ${at}: ${fields.message}`);
    if (fields.length !== header.length)
      return refuse('BODY_MALFORMED', said`line ${at} has ${fields.length} fields; the header has ${header.length}`);
    const cells = header.map((name, c) => [name, (fields[c] as string).trim()] as const).filter(([, v]) => v !== '');
    lines.push(Object.fromEntries(cells.map(([name, v]) => [name, cell(name, v)])));
    places.push(at);
  }
  return {
    lines,
    inFile: (message) =>
      message
        .replace(
          /the field 'lines\[(\d+)\]\.(\w+)'/g,
          (_, i: string, name: string) => `line ${places[Number(i)]}, '${name}'`,
        )
        .replace(/lines\[(\d+)\]/g, (_, i: string) => `line ${places[Number(i)]}`),
  };
}

function readHeader(line: string): readonly string[] | Refusal {
  const fields = splitFields(line);
  if (isFault(fields)) return refuse('BODY_MALFORMED', said`line 1: ${fields.message}`);
  const found: string[] = [];
  for (const f of fields) {
    const name = byName.get(plain(f));
    if (name === undefined)
      return refuse('BODY_MALFORMED', said`line 1 must name columns out of ${names.join(', ')}; '${clip(f)}' is none`);
    if (found.includes(name)) return refuse('BODY_MALFORMED', said`line 1 names the column '${name}' twice`);
    found.push(name);
  }
  return found;
}

/** A text that is not a plain number stays text, so that the schema refuses it with its position. */
function cell(name: string, text: string): Json {
  if (name === 'class') return text.toUpperCase();
  return texts.has(name) || !/^-?\d+(\.\d+)?$/.test(text) ? text : new Numeral(text);
}
