// Finds the texts in a source file of the console: those that go through the catalogue, and those that a person would see
// in English whatever language is chosen. It reads the syntax tree, so that strings of other kinds are left alone.
import { parseSync } from 'vite';

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export interface Used {
  /** Keys of `say` and `rich`. */
  readonly texts: readonly string[];
  /** What is said for one, by the key of `plural`. */
  readonly counted: ReadonlyMap<string, string>;
  /** Calls whose key is no plain string. */
  readonly unreadable: readonly string[];
  /** Texts that do not go through the catalogue. */
  readonly loose: readonly string[];
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string' && 'start' in value;
const inside = (node: Node): Node[] => Object.values(node).flat().filter(isNode);
const child = (node: Node, field: string): Node | undefined => {
  const value = node[field];
  return isNode(value) ? value : undefined;
};
const nameOf = (node: Node | undefined): string =>
  !node ? '' : typeof node.name === 'string' ? node.name : nameOf(child(node, 'property') ?? child(node, 'name'));
const literalOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;

/** Attributes and members whose value a person reads. */
const shownNames = new Set(
  `label title placeholder description aria-label alt lead note header what question nothingFoundMessage wrong error legend unit
   action kept account closeButtonLabel name message empty done words`.split(/\s+/),
);
/** Members whose value is never read by a person. */
const hiddenNames = new Set(
  `key value path to color flex expand fill kind letter tone type from until fontFamily fontFamilyMonospace style zone position
   month code operation test sort className rel href target mode`.split(/\s+/),
);
/** Functions whose arguments are no texts for people. */
const reading = new Set(
  `say rich plural includes startsWith endsWith split join replace replaceAll get set has delete querySelector getElementById
   addEventListener removeEventListener getItem setItem removeItem useOp usePages useDo call usePath useSorting matchMedia
   useMediaQuery match test exec indexOf createElement consolePath pageOf useFilters lazyRouteComponent parse RegExp`.split(
    /\s+/,
  ),
);

/** Samples of codes, ids and addresses, which are the same in every language. */
const isSample = (text: string): boolean =>
  /^[A-Z]{2,5}(-[A-Z]{2})?$/.test(text) || /^[\w+:@./-]*[\d_:@/+][\w+:@./…-]*$/.test(text);

/** Words as in a sentence, or one word with a capital. */
const isProse = (text: string): boolean =>
  !/^[/.#^-]|^var\(|^calc\(|\d(px|rem|vh|fr|%)|^https?:|^[\w-]+\/[\w*.+-]+|=\{?|^\w+[?&]|is used (outside|where)/.test(
    text,
  ) &&
  (/[A-Za-z]{2,}['’\w]*[,:;.–]? [\w({“]|\{\}: \{\}/.test(text) ||
    /^[A-Z][a-z’-]+[.!?…]?$/.test(text) ||
    /^[A-Z] [a-z]/.test(text));

/** The text of a literal or a template, with {} for its values; undefined for other nodes. */
function textOf(node: Node): string | undefined {
  if (node.type !== 'TemplateLiteral') return literalOf(node);
  return (node.quasis as readonly Node[]).map((q) => (q.value as { cooked: string }).cooked).join('{}');
}

type Place = 'shown' | 'hidden' | 'any';

/** In what kind of place an expression is. */
function placeOf(parents: readonly Node[], node: Node): Place {
  let below = node;
  for (const p of parents.toReversed()) {
    switch (p.type) {
      case 'ConditionalExpression':
        if (p.test === below) return 'hidden';
        break;
      case 'JSXElement':
      case 'JSXFragment':
        return 'shown';
      case 'JSXAttribute':
        return shownNames.has(nameOf(p)) ? 'shown' : 'hidden';
      case 'Property': {
        if (p.key === below) return 'hidden';
        const name = nameOf(child(p, 'key'));
        return hiddenNames.has(name) ? 'hidden' : 'any';
      }
      case 'BinaryExpression':
        return p.operator === '+' ? 'any' : 'hidden';
      case 'SwitchCase':
        return p.test === below ? 'hidden' : 'any';
      case 'CallExpression':
      case 'NewExpression':
        if (p.callee !== below) return reading.has(nameOf(child(p, 'callee'))) ? 'hidden' : 'any';
        break;
      case 'MemberExpression':
        if (p.property === below) return 'hidden';
        break;
      case 'LogicalExpression':
      case 'JSXExpressionContainer':
        break;
      default:
        return /^(TS(?!As|Satisf)|Import|Export(Named|All))/.test(p.type) ? 'hidden' : 'any';
    }
    below = p;
  }
  return 'any';
}

export function textsIn(path: string, source: string): Used {
  const parsed = parseSync(path, source, { lang: path.endsWith('x') ? 'tsx' : 'ts' });
  if (parsed.errors.length > 0) throw new Error(`${path} cannot be read`);
  const texts: string[] = [];
  const counted = new Map<string, string>();
  const unreadable: string[] = [];
  const loose: string[] = [];
  const at = (node: Node) => `${path}:${source.slice(0, node.start).split('\n').length}`;

  function call(node: Node): void {
    const name = nameOf(child(node, 'callee'));
    const given = node.arguments as readonly unknown[];
    if (name === 'say' || name === 'rich') {
      const key = literalOf(given[0]);
      if (key === undefined) unreadable.push(at(node));
      else texts.push(key);
    } else if (name === 'plural') {
      const [one, many] = [literalOf(given[1]), literalOf(given[2])];
      if (one === undefined || many === undefined) unreadable.push(at(node));
      else counted.set(many, one);
    }
  }

  function visit(node: Node, parents: readonly Node[]): void {
    if (node.type === 'CallExpression' && child(node, 'callee')?.type === 'Identifier') call(node);
    if (node.type === 'JSXText') {
      if (/\p{L}/u.test(String(node.value))) loose.push(`${at(node)}: ${String(node.value).trim()}`);
      return;
    }
    const text = textOf(node);
    if (text !== undefined) {
      const place = placeOf(parents, node);
      const plain = text.replaceAll('{}', ' ').trim();
      const reads = place === 'shown' ? /[A-Za-z]{2}/.test(plain) : isProse(text.trim());
      if (place !== 'hidden' && reads && !isSample(plain)) loose.push(`${at(node)}: ${text}`);
    }
    for (const part of inside(node)) visit(part, [...parents, node]);
  }
  visit(parsed.program as unknown as Node, []);
  return { texts, counted, unreadable, loose };
}
