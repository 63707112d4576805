// XML as elements, which a parser made (platform/xml-elements.ts). Prefixes of names are left out.

import { said } from '../said.ts';
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

/** Reads a whole document. @throws FileFault with the place */
export type ReadXml = (text: string) => Element;

/** Children of a name. */
export const within = (element: Element, name: string): readonly Element[] =>
  element.children.filter((c) => c.name === name);

/** The text of the only child of a name. @throws FileFault */
export function textIn(element: Element, name: string): string {
  const found = within(element, name);
  if (found.length !== 1)
    throw new FileFault(
      found.length === 0
        ? said`<${element.name}> has no <${name}>`
        : said`<${element.name}> has more than one <${name}>`,
      element.at,
    );
  return (found[0] as Element).text;
}
