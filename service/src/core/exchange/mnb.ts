// Magyar Nemzeti Bank's rates as its service answers: the list of days, also inside of the SOAP envelope. `unit` units of
// the currency cost the rate in forints, with a decimal comma.

import { said } from '../said.ts';
import { isoDay, unitsOf, withPoint } from './fields.ts';
import type { XmlForm } from './forms.ts';
import { type Element, type ReadXml, within } from './markup.ts';
import { FileFault, type Quotes } from './quotes.ts';

const isList = (root: Element): boolean => /^MNB(?:Current)?ExchangeRates$/.test(root.name);

function readDays(root: Element, out: Quotes, at?: number): void {
  for (const of of within(root, 'Day')) {
    const day = isoDay(of.attributes.date ?? '');
    if (!out.takes(day, at ?? of.at)) continue;
    for (const { attributes: a, text, at: place } of within(of, 'Rate')) {
      const units = unitsOf(a.unit ?? '');
      out.add({ currency: a.curr ?? '', day, per: 'CURRENCY', units, rate: withPoint(text) }, at ?? place);
    }
  }
}

/** The list in an element's text; a fault in it is one of the element. @throws FileFault */
function listIn({ text, at }: Element, xml: ReadXml): Element {
  try {
    return xml(text);
  } catch (e) {
    throw e instanceof FileFault ? new FileFault(e.said, at) : e;
  }
}

/** The element that holds the list as text. */
const resultIn = (root: Element): Element | undefined =>
  within(root, 'Body')
    .flatMap((body) => body.children)
    .flatMap((response) => response.children)
    .find((result) => /^Get(?:Current)?ExchangeRatesResult$/.test(result.name));

export const mnbXml: XmlForm = {
  publisher: 'MNB',
  is: (root) => isList(root) || (root.name === 'Envelope' && resultIn(root) !== undefined),
  read(root, out, xml) {
    const result = isList(root) ? undefined : resultIn(root);
    const list = result ? listIn(result, xml) : root;
    if (!isList(list)) throw new FileFault(said`its result is no list of rates`, result?.at);
    readDays(list, out, result?.at);
    return 'DAY';
  },
};
