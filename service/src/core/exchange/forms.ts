// The forms of published files. A form recognises its files by their content.
import type { Json } from '../json.ts';
import type { Element, ReadXml } from './markup.ts';
import type { PublisherId, RateKind } from './publishers.ts';
import type { Quotes } from './quotes.ts';
import type { Line } from './separated.ts';

export interface Form<D> {
  /** Whose file it is. @throws FileFault */
  readonly publisher: PublisherId | ((file: D) => PublisherId);
  is(file: D): boolean;
  /**
   * @param xml reads a document that is within a text of the file
   * @throws FileFault
   */
  read(file: D, out: Quotes, xml: ReadXml): RateKind;
}

export type XmlForm = Form<Element>;
export type JsonForm = Form<Json>;
/** A page with tables, as text. */
export type HtmlForm = Form<string>;

/** A text file, in lines as each separator makes them. */
export interface TextFile {
  /** Its first line, without spaces and quotes, in lower case. */
  readonly head: string;
  lines(separator: string): readonly Line[];
}
export type TextForm = Form<TextFile>;
