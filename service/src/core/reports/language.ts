// The texts of a report in a language: in English, as all its documents but the page have them, or by a catalogue. Pure.
import { type Catalogue, wordBy } from '../said.ts';
import type { ReportContent, ReportFact, ReportSection, SaidContent, SaidSection, Text } from './document.ts';

export const inEnglish = (content: SaidContent): ReportContent => worded(content, String);

export interface Translated {
  readonly content: ReportContent;
  /** Each text that differs, by its English. */
  readonly words: Readonly<Record<string, string>>;
}

export function translated(content: SaidContent, catalogue: Catalogue): Translated {
  const words = new Map<string, string>();
  const inLanguage = worded(content, (text) => {
    const word = wordBy(text, catalogue);
    if (word !== String(text)) words.set(String(text), word);
    return word;
  });
  return { content: inLanguage, words: Object.fromEntries(words) };
}

function worded(content: SaidContent, word: (text: Text) => string): ReportContent {
  return {
    ...content,
    title: word(content.title),
    facts: content.facts.map((f): ReportFact => ({ ...f, title: word(f.title), value: word(f.value) })),
    sections: content.sections.map((s) => sectionIn(s, word)),
  };
}

const sectionIn = ({ note, ...s }: SaidSection, word: (text: Text) => string): ReportSection => ({
  ...s,
  title: word(s.title),
  ...(note === undefined ? {} : { note: word(note) }),
  columns: s.columns.map((c) => ({ ...c, title: word(c.title) })),
  rows: s.rows.map(({ said, ...row }) =>
    said ? { ...row, cells: row.cells.map((cell, i) => (said.has(i) ? word(said.get(i) ?? '') : cell)) } : row,
  ),
});
