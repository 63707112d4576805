// Renders a report's files, and the manifest with their hashes.
import { createHash } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';
import { displayedCsv, sectionCsv } from '../../core/reports/csv.ts';
import type { ReportDocument, ReportSection, SaidContent } from '../../core/reports/document.ts';
import { contentText, reportJson, sectionJson } from '../../core/reports/json.ts';
import { inEnglish, translated } from '../../core/reports/language.ts';
import { type Legibility, legible } from '../../core/reports/legible.ts';
import type { Manifest } from '../../core/reports/manifest.ts';
import { reportPage } from '../../core/reports/page.ts';
import { fitsSheets, idTitle, sheetsOf } from '../../core/reports/sheets.ts';
import { english, type Language, languages } from '../../core/said.ts';
import { frenchWords } from '../../platform/words.ts';
import type { ReportFile } from './report-store.ts';
import { workbookOf, workbookType } from './workbook.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The CSV of a section; with a language that for people, and without one that for programs. */
export const csvName = (section: string, language?: Language): string =>
  ['csv', section, ...(language ? [language] : [])].join(':');
/** A document that is in each language; the English one is named without it. */
export const languageName = (name: 'page' | 'xlsx', language: Language): string =>
  language === 'en' ? name : `${name}:${language}`;

/** Runs the steps of a generator; requests are answered between them. @returns the generator's result */
export async function pieceByPiece<T, R>(steps: Generator<T, R>, take?: (piece: T) => void): Promise<R> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    take?.(step.value);
    await pause();
  }
}

function* oneByOne(pieces: Iterable<string>): Generator<string> {
  yield* pieces;
}

async function whole(pieces: Generator<string> | readonly string[]): Promise<{ text: string; sha256: string }> {
  const hash = createHash('sha256');
  const parts: string[] = [];
  await pieceByPiece(oneByOne(pieces), (p) => {
    hash.update(p);
    parts.push(p);
  });
  return { text: parts.join(''), sha256: hash.digest('hex') };
}

/**
 * All renderings of a report, and the manifest with their hashes. What people read is in every language; what programs read has
 * one wording.
 * @param page names and decimals for what people read
 */
export async function renderReport(
  { head, content: saidContent }: Omit<ReportDocument, 'content'> & { readonly content: SaidContent },
  page: Legibility,
): Promise<{ files: ReportFile[]; manifest: Manifest }> {
  const content = inEnglish(saidContent);
  const document: ReportDocument = { head, content };
  const french = translated(saidContent, frenchWords());
  const documents = { en: document, fr: { head, content: french.content } };
  const shown = {
    en: legible(document, page),
    fr: legible(documents.fr, { ...page, catalogue: frenchWords(), language: 'fr' }),
  };
  const file = (name: string, contentType: string, text: string, hash = sha256(text)): ReportFile => ({
    name,
    contentType,
    content: text,
    sha256: hash,
    bytes: Buffer.byteLength(text),
  });
  const sections: { text: string; sha256: string }[] = [];
  const tables: ReportFile[] = [];
  for (const s of content.sections) {
    sections.push(await whole(sectionJson(s)));
    const csv = await whole(sectionCsv(s, page.names));
    tables.push(file(csvName(s.name), 'text/csv', csv.text, csv.sha256));
  }
  for (const language of languages)
    for (const [i, s] of documents[language].content.sections.entries()) {
      const displayed = shown[language].content.sections[i] as ReportSection;
      const csv = await whole(displayedCsv(s, displayed, language, idTitle(shown[language].catalogue ?? english)));
      tables.push(file(csvName(s.name, language), 'text/csv', csv.text, csv.sha256));
    }
  const further: ReportFile[] = [];
  for (const f of content.further ?? []) {
    const { text, sha256: hash } = await whole(f.pieces);
    further.push(file(f.name, f.contentType, text, hash));
  }
  for (const language of fitsSheets(document) ? languages : []) {
    const sheets = sheetsOf(documents[language], shown[language], page.decimals, language);
    const bytes = await workbookOf(sheets);
    further.push({
      name: languageName('xlsx', language),
      contentType: workbookType,
      content: bytes.toString('base64'),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      bytes: bytes.length,
    });
  }
  const texts = sections.map((s) => s.text);
  const json = reportJson(document, texts);
  const files = [
    file('json', 'application/json', json),
    ...languages.map((l) => file(languageName('page', l), 'text/html', reportPage(shown[l], l))),
    ...further,
    ...tables,
  ];
  const hashes = sections.map((s) => s.sha256);
  return {
    files,
    manifest: {
      title: content.title,
      dataset: head.dataset,
      inputs: content.facts,
      contentSha256: sha256(contentText(content, hashes)),
      sections: content.sections.map((s, i) => ({
        name: s.name,
        title: s.title,
        rows: s.rows.length,
        sha256: hashes[i] as string,
      })),
      files: files.map((f) => ({ name: f.name, contentType: f.contentType, bytes: f.bytes, sha256: f.sha256 })),
      french: french.words,
    },
  };
}

/** The differences of a revision from an earlier one. */
export function changesOf(before: Manifest, after: Manifest) {
  const were = new Map(before.sections.map((s) => [s.name, s.sha256]));
  const are = new Map(after.sections.map((s) => [s.name, s.sha256]));
  return {
    changed: before.contentSha256 !== after.contentSha256,
    sections: [...new Set([...were.keys(), ...are.keys()])].filter((n) => were.get(n) !== are.get(n)),
  };
}
