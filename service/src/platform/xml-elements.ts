// Reads the elements of some names out of a large XML text, in steps that leave the thread to others between them.
// Documents with a type declaration are refused: no entity is expanded beyond XML's own.
import { setImmediate as othersFirst } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { FileFault } from '../core/exchange/quotes.ts';
import type { Element } from '../core/screening/list-file.ts';

/** Characters parsed without a break: some 5 ms. */
const step = 1 << 18;
const maxDepth = 32;

type Growing = { -readonly [K in keyof Element]: Element[K] } & { children: Growing[] };

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

export interface Found {
  /** The root's name and attributes; its children are not kept. */
  readonly root: Element;
  /** The text of the first element of each name that was asked for, outside of the elements found. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * @param wanted names of elements to give whole, one after another
 * @param alsoTextOf names of elements whose text is kept
 * @throws FileFault with the place
 */
export async function readElements(
  text: string,
  wanted: (root: Element) => readonly string[],
  alsoTextOf: readonly string[],
  give: (element: Element) => void,
): Promise<Found> {
  const parser = new SaxesParser({ position: true });
  const open: Growing[] = [];
  const texts = new Map<string, string>();
  let root: Growing | undefined;
  let names: readonly string[] = [];
  /** Depth of the element under way that is to be given; 0 outside of one. */
  let inside = 0;
  let fault: FileFault | undefined;
  const failed = (why: string) => {
    fault ??= new FileFault(why, parser.position);
  };
  parser.on('doctype', () => failed('a document type declaration is not allowed'));
  parser.on('error', (e) => failed(e.message.replace(/^\d+:\d+: /, '')));
  parser.on('opentag', (tag) => {
    const attributes = Object.fromEntries(Object.entries(tag.attributes).map(([k, v]) => [local(k), String(v)]));
    const element: Growing = { name: local(tag.name), at: parser.position, attributes, children: [], text: '' };
    open.push(element);
    if (open.length > maxDepth) failed('elements are nested too deeply');
    if (root === undefined) {
      root = element;
      names = wanted(element);
    } else if (inside > 0) open.at(-2)?.children.push(element);
    else if (names.includes(element.name)) inside = open.length;
  });
  parser.on('text', (content) => {
    const element = open.at(-1);
    if (element && (inside > 0 || alsoTextOf.includes(element.name))) element.text += content;
  });
  parser.on('cdata', (content) => {
    const element = open.at(-1);
    if (element) element.text += content;
  });
  parser.on('closetag', () => {
    const element = open.pop() as Growing;
    element.text = element.text.trim();
    if (inside === open.length + 1) {
      inside = 0;
      give(element);
    } else if (inside === 0 && alsoTextOf.includes(element.name) && !texts.has(element.name))
      texts.set(element.name, element.text);
  });
  for (let at = 0; at < text.length && fault === undefined; at += step) {
    parser.write(text.slice(at, at + step));
    await othersFirst();
  }
  if (fault === undefined) parser.close();
  if (fault !== undefined) throw fault;
  if (root === undefined) throw new FileFault('it has no document');
  return { root, texts };
}
