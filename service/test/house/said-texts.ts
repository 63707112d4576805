// Finds the sentences that the service says to people: those of refusals, and those of reports. It reads the syntax tree,
// so that each is found whatever calls it, and a sentence that is not written as one is found too.
import { parseSync } from 'vite';
import type { Node } from './shown-texts.ts';

export interface SaidIn {
  /** The English, with numbered places. */
  readonly texts: readonly string[];
  /** Sentences of refusals and reports that are not plain texts and not made by `said`. */
  readonly loose: readonly string[];
}

const isNode = (v: unknown): v is Node => typeof v === 'object' && v !== null && 'type' in v;
const children = (n: Node): Node[] => Object.values(n).flat().filter(isNode);
const nodeAt = (n: Node, field: string): Node | undefined => (isNode(n[field]) ? n[field] : undefined);
const listAt = (n: Node, field: string): Node[] => (Array.isArray(n[field]) ? n[field].filter(isNode) : []);

/** Functions that make a column of a report: their second argument is its title. */
const columns = /^(?:text|code|count|decimal|money|percent|date|time|clientId)$/;
const shownFields = /^(?:title|note|value|summary)$/;

/** @param report whether the file makes a report, whose titles, notes and facts are shown */
export function saidIn(path: string, source: string, report: boolean): SaidIn {
  const texts: string[] = [];
  const loose: string[] = [];
  const { program } = parseSync(path, source);

  /** A text in a place where people read it. */
  function read(n: Node | undefined): void {
    if (!n) return;
    if (n.type === 'Literal' && typeof n.value === 'string') texts.push(n.value);
    else if (n.type === 'ConditionalExpression') for (const f of ['consequent', 'alternate']) read(nodeAt(n, f));
    else if (n.type === 'TemplateLiteral') loose.push(`${path}: ${source.slice(n.start, n.end)}`);
  }

  /** A value of a sentence: words of ours in it are a sentence too. */
  function readValue(n: Node | undefined): void {
    if (!n) return;
    const text = source.slice(n.start, n.end);
    if ((n.type === 'Literal' || n.type === 'TemplateLiteral') && /\p{L}{2}/u.test(text.replace(/\$\{[^}]*\}/g, '')))
      loose.push(`${path}: ${text}`);
    for (const field of ['consequent', 'alternate', 'left', 'right']) readValue(nodeAt(n, field));
  }

  (function visit(n: Node): void {
    if (n.type === 'TaggedTemplateExpression' && /^(?:said|stored)`/.test(source.slice(n.start, n.start + 7))) {
      const parts = listAt(nodeAt(n, 'quasi') ?? n, 'quasis').map((q) => (q.value as { cooked: string }).cooked);
      texts.push(parts.reduce((text, part, i) => `${text}{${i - 1}}${part}`));
      for (const value of listAt(nodeAt(n, 'quasi') ?? n, 'expressions')) readValue(value);
    }
    if (n.type === 'CallExpression' || n.type === 'NewExpression') {
      const callee = nodeAt(n, 'callee');
      const name = callee === undefined ? '' : source.slice(callee.start, callee.end);
      const given = listAt(n, 'arguments');
      if (name === 'refuse' || name === 'Refusal') read(given[1]);
      if (name === 'phrase') read(given[0]);
      // What is wrong in a line of a call detail file.
      if (/^r\.(?:fail|warn)$/.test(name) && given[2]?.type === 'Literal') read(given[2]);
      if (report && (columns.test(name) || name === 'noteOf')) read(given[name === 'noteOf' ? 0 : 1]);
    }
    if (report && n.type === 'Property' && shownFields.test(String(nodeAt(n, 'key')?.name))) read(nodeAt(n, 'value'));
    for (const child of children(n)) visit(child);
  })(program as unknown as Node);
  return { texts, loose };
}
