// Reads XML strictly into elements: well-formed documents without a DTD. No entity is fetched or expanded beyond XML's
// own five and character numbers. Prefixes of names are left out.
import { FileFault } from './quotes.ts';

export interface Element {
  readonly name: string;
  /** Offset of its tag in the text. */
  readonly at: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** Its own text, trimmed. */
  readonly text: string;
}

type Growing = { -readonly [K in keyof Element]: Element[K] } & { children: Growing[] };

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const maxDepth = 16;
const tagAt = /<(\/?)([A-Za-z_][\w.:-]{0,99})/y;
const attributeAt = /\s+([A-Za-z_][\w.:-]{0,99})\s{0,9}=\s{0,9}(?:"([^"<]*)"|'([^'<]*)')/y;
const tagEnd = /\s*(\/?)>/y;

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

function plainText(text: string, at: number): string {
  return text.includes('&')
    ? text.replace(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|[a-z]{2,4});|&/g, (whole, name?: string) => {
        if (name === undefined) throw new FileFault("an '&' that begins no entity", at);
        if (!name.startsWith('#')) {
          const known = entities[name];
          if (known === undefined) throw new FileFault(`the entity ${whole} is not allowed`, at);
          return known;
        }
        const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
        if (code === 0 || code > 0x10ffff) throw new FileFault(`${whole} is not a character`, at);
        return String.fromCodePoint(code);
      })
    : text;
}

/** The document's root. @throws FileFault */
export function readMarkup(text: string): Element {
  const open: Growing[] = [];
  let root: Growing | undefined;
  let at = 0;

  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const m = pattern.exec(text);
    if (m) at = pattern.lastIndex;
    return m;
  };
  const past = (end: string, what: string): number => {
    const found = text.indexOf(end, at);
    if (found < 0) throw new FileFault(`${what} does not end`, at);
    return found + end.length;
  };
  const content = (raw: string, from: number): void => {
    const inside = open.at(-1);
    if (inside) inside.text += plainText(raw, from);
    else if (raw.trim() !== '') throw new FileFault('text outside of the document', from);
  };
  const close = (name: string, from: number): void => {
    const element = open.pop();
    if (element?.name !== local(name)) throw new FileFault(`</${name}> closes no element that is open`, from);
    element.text = element.text.trim();
  };
  const begin = (name: string, from: number): void => {
    const attributes: Record<string, string> = {};
    for (let m = match(attributeAt); m; m = match(attributeAt)) {
      const key = local(m[1] as string);
      if (Object.hasOwn(attributes, key)) throw new FileFault(`the attribute ${key} occurs twice`, from);
      attributes[key] = plainText(m[2] ?? m[3] ?? '', from);
    }
    const end = match(tagEnd);
    if (!end) throw new FileFault(`the tag <${name}> is malformed`, from);
    const element: Growing = { name: local(name), at: from, attributes, children: [], text: '' };
    const inside = open.at(-1);
    if (inside) inside.children.push(element);
    else if (root) throw new FileFault('a second document begins', from);
    else root = element;
    if (open.push(element) > maxDepth) throw new FileFault('elements are nested too deeply', from);
    if (end[1]) close(name, from);
  };

  while (at < text.length) {
    const next = text.indexOf('<', at);
    content(text.slice(at, next < 0 ? text.length : next), at);
    if (next < 0) break;
    at = next;
    if (text.startsWith('<?', at)) at = past('?>', 'an instruction');
    else if (text.startsWith('<!--', at)) at = past('-->', 'a comment');
    else if (text.startsWith('<![CDATA[', at)) {
      const end = past(']]>', 'a CDATA section');
      const inside = open.at(-1);
      if (!inside) throw new FileFault('text outside of the document', at);
      inside.text += text.slice(at + 9, end - 3);
      at = end;
    } else if (text.startsWith('<!', at)) throw new FileFault('a document type declaration is not allowed', at);
    else {
      const m = match(tagAt);
      if (!m) throw new FileFault("a '<' that begins no tag", at);
      const name = m[2] as string;
      if (!m[1]) begin(name, next);
      else if (match(tagEnd)?.[1] === '') close(name, next);
      else throw new FileFault(`the tag </${name}> is malformed`, next);
    }
  }
  if (open.length > 0)
    throw new FileFault(`<${open.at(-1)?.name}> is not closed: the file ends too early`, text.length);
  if (!root) throw new FileFault('it has no document');
  return root;
}

/** Children of a name. */
export const within = (element: Element, name: string): readonly Element[] =>
  element.children.filter((c) => c.name === name);

/** The text of the only child of a name. @throws FileFault */
export function textIn(element: Element, name: string): string {
  const found = within(element, name);
  if (found.length !== 1)
    throw new FileFault(`<${element.name}> has ${found.length === 0 ? 'no' : 'more than one'} <${name}>`, element.at);
  return (found[0] as Element).text;
}
