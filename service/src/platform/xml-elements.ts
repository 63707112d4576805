// Reads XML as elements: those of some names out of a large text, in steps that leave the thread to others between them, or a
// whole document.
// Documents with a type declaration are refused: no entity is expanded beyond XML's own.
import { setImmediate as othersFirst } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import type { Element, ReadXml } from '../core/exchange/markup.ts';
import { FileFault } from '../core/exchange/quotes.ts';
import { type Said, said } from '../core/said.ts';

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

/** The building of elements while a text is parsed. */
interface Building {
  /** @throws FileFault with the place */
  write(text: string): void;
  /** @throws FileFault with the place */
  end(): Found;
}

/**
 * @param wanted names of elements to give whole, one after another; with the root's own the whole document is kept
 * @param alsoTextOf names of elements whose text is kept
 */
function building(
  wanted: (root: Element) => readonly string[],
  alsoTextOf: readonly string[],
  give: (element: Element) => void,
): Building {
  const parser = new SaxesParser({ position: true });
  const open: Growing[] = [];
  const texts = new Map<string, string>();
  let root: Growing | undefined;
  let names: readonly string[] = [];
  /** Depth of the element under way that is to be given; 0 outside of one. */
  let inside = 0;
  let fault: FileFault | undefined;
  const failed = (why: Said | string) => {
    fault ??= new FileFault(why, parser.position);
  };
  const sound = () => {
    if (fault !== undefined) throw fault;
  };
  parser.on('doctype', () => failed(said`a document type declaration is not allowed`));
  parser.on('error', (e) => failed(e.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')));
  parser.on('opentag', (tag) => {
    const attributes = Object.fromEntries(Object.entries(tag.attributes).map(([k, v]) => [local(k), String(v)]));
    const element: Growing = { name: local(tag.name), at: parser.position, attributes, children: [], text: '' };
    open.push(element);
    if (open.length > maxDepth) failed('elements are nested too deeply');
    if (root === undefined) {
      root = element;
      names = wanted(element);
    }
    if (inside > 0) open.at(-2)?.children.push(element);
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
  return {
    write(text) {
      parser.write(text);
      sound();
    },
    end() {
      parser.close();
      sound();
      if (root === undefined) throw new FileFault(said`it has no document`);
      return { root, texts };
    },
  };
}

/**
 * @param text all of it, or its parts in their order, of which none is kept
 * @param wanted names of elements to give whole, one after another
 * @param alsoTextOf names of elements whose text is kept
 * @throws FileFault with the place
 */
export async function readElements(
  text: string | AsyncIterable<string>,
  wanted: (root: Element) => readonly string[],
  alsoTextOf: readonly string[],
  give: (element: Element) => void,
): Promise<Found> {
  const elements = building(wanted, alsoTextOf, give);
  for await (const part of typeof text === 'string' ? [text] : text)
    for (let at = 0; at < part.length; at += step) {
      elements.write(part.slice(at, at + step));
      await othersFirst();
    }
  return elements.end();
}

/** The root of a document that is not large, with all in it. */
export const readXml: ReadXml = (text) => {
  const elements = building(
    (root) => [root.name],
    [],
    () => undefined,
  );
  elements.write(text);
  return elements.end().root;
};
