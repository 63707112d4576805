// Reads a published file of exchange rates. Its form is recognised by its content; a file with any fault is refused
// whole.
import { type Json, JsonError, parseJson } from '../json.ts';
import { said } from '../said.ts';
import { bceaoPage } from './bceao.ts';
import { bnrXml } from './bnr.ts';
import { bocJson, bocText } from './boc.ts';
import { botPage } from './bot.ts';
import { cbeText } from './cbe.ts';
import { cbkJson, cbkText } from './cbk.ts';
import { cbnJson, cbnText } from './cbn.ts';
import { cnbDaily, cnbJson, cnbYear } from './cnb.ts';
import { dnbXml } from './dnb.ts';
import { ecbText, ecbXml } from './ecb.ts';
import type { Form, HtmlForm, JsonForm, TextForm, XmlForm } from './forms.ts';
import { hmrcColumns, hmrcText, hmrcXml } from './hmrc.ts';
import type { ReadXml } from './markup.ts';
import { mnbXml } from './mnb.ts';
import { nbpArchive, nbpJson, nbpTable, nbpXml } from './nbp.ts';
import { nbrJson } from './nbr.ts';
import { plainTable } from './plain-table.ts';
import { publishers } from './publishers.ts';
import { FileFault, Quotes, type RateFile } from './quotes.ts';
import { riksbankJson } from './riksbank.ts';
import { sarbJson } from './sarb.ts';
import { type Line, readLines } from './separated.ts';
import { tcmbXml } from './tcmb.ts';

const xmlForms: readonly XmlForm[] = [ecbXml, hmrcXml, nbpTable, nbpXml, bnrXml, tcmbXml, dnbXml, mnbXml];
const jsonForms: readonly JsonForm[] = [nbpJson, cnbJson, bocJson, cbnJson, cbkJson, sarbJson, nbrJson, riksbankJson];
const htmlForms: readonly HtmlForm[] = [bceaoPage, botPage];
const textForms: readonly TextForm[] = [
  ecbText,
  hmrcText,
  hmrcColumns,
  nbpArchive,
  cnbDaily,
  cnbYear,
  cbnText,
  cbkText,
  cbeText,
  bocText,
  plainTable,
];

const unknown = said`its form is not known; docs/how-to/exchange-rates.md lists the files that are read, and a table for all others`;

function readAs<D>(forms: readonly Form<D>[], file: D, from: string, xml: ReadXml): RateFile {
  const form = forms.find((f) => f.is(file));
  if (!form) throw new FileFault(unknown);
  const publisher = typeof form.publisher === 'function' ? form.publisher(file) : form.publisher;
  const out = new Quotes(publishers[publisher].base, from);
  const kind = form.read(file, out, xml);
  const quotes = out.all();
  if (quotes.length === 0) throw new FileFault(said`it has no rate from ${from} on`);
  return { publisher, kind, quotes };
}

function json(text: string): Json {
  try {
    return parseJson(text);
  } catch (e) {
    if (!(e instanceof JsonError)) throw e;
    const at = /at position (\d{1,10})$/.exec(e.message)?.[1];
    throw new FileFault(e.message.replace(/ at position \d{1,10}$/, ''), at === undefined ? undefined : Number(at));
  }
}

function read(text: string, from: string, xml: ReadXml): RateFile {
  const first = text.trimStart()[0];
  if (first === '<')
    return htmlForms.some((f) => f.is(text))
      ? readAs(htmlForms, text, from, xml)
      : readAs(xmlForms, xml(text), from, xml);
  if (first === '{' || first === '[') return readAs(jsonForms, json(text), from, xml);
  const cut = new Map<string, Line[]>();
  const lines = (separator: string): Line[] => {
    const known = cut.get(separator) ?? readLines(text, separator);
    cut.set(separator, known);
    return known;
  };
  const [head = ''] = text.trimStart().split('\n', 1);
  return readAs(textForms, { head: head.slice(0, 4000).replace(/[\s"]/g, '').toLowerCase(), lines }, from, xml);
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/**
 * @param given the file's text
 * @param from first day that is read, YYYY-MM-DD; what is earlier is passed over
 * @param xml reads a document
 * @returns a sentence that says the line and the reason, if the file is refused
 */
export function readRateFile(given: string, from: string, xml: ReadXml): RateFile | FileFault {
  const text = given.startsWith('\ufeff') ? given.slice(1) : given;
  try {
    return read(text, from, xml);
  } catch (e) {
    if (!(e instanceof FileFault)) throw e;
    return e.at === undefined ? e : new FileFault(said`line ${lineOf(text, e.at)}: ${e.said}`, e.at);
  }
}
