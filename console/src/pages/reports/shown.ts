// Shared by the report pages: kinds by name, parameters in words, time left.

import { amountsInWords } from '../../data/amounts.ts';
import type { Content } from '../../data/assay.ts';
import { useOp } from '../../data/use-op.ts';
import { language } from '../../words/language.ts';
import { named, say } from '../../words/words.ts';

export type Report = Content<'listReports'>['items'][number];
export type Kind = Content<'listReportKinds'>['items'][number];
export type Document = Content<'getReportJson'>;
export type Section = Document['sections'][number];

export const reportStates = ['QUEUED', 'RUNNING', 'DONE', 'FAILED'] as const;
export const inWork = (state: Report['state'] | undefined): boolean => state === 'QUEUED' || state === 'RUNNING';

/** The kinds that can be requested, and the title of one. */
export function useKinds() {
  const { data, error, refetch } = useOp('listReportKinds');
  return {
    kinds: data?.items,
    error,
    refetch,
    titleOf: (kind: string) => named(data?.items.find((k) => k.kind === kind)?.title ?? kind),
  };
}

const names: Readonly<Record<string, string>> = {
  period: say('Month'),
  countryCode: say('Country'),
  quarter: say('Quarter'),
  memberState: say('Member state'),
  bic: 'BIC',
  from: say('From'),
  to: say('To'),
  rule: say('Rule'),
  form: say('Form'),
};
export const parameterName = (name: string): string => names[name] ?? name;

/** NG · 2026-10 */
export const inShort = (parameters: Report['parameters']): string => Object.values(parameters).map(String).join(' · ');

export function timeLeft(seconds: number | null): string {
  if (seconds === null) return '';
  return seconds < 90
    ? say('about {seconds} s left', { seconds: Math.max(1, seconds) })
    : say('about {minutes} min left', { minutes: Math.round(seconds / 60) });
}

/** Address of a document that people read, in the language of the console. */
export const inLanguage = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}language=${language}`;

/** Columns whose cells are sentences of the report; other cells are values. */
const sentences = ['field', 'value', 'english', 'how', 'why', 'what', 'meaning', 'note'];

/** A report as it is read: its amounts as people write them, and its texts in French, which its manifest has. */
export function worded(made: Document, french: Readonly<Record<string, string>> | undefined): Document {
  const document = { ...made, facts: made.facts.map((f) => ({ ...f, value: amountsInWords(f.value) })) };
  if (language !== 'fr' || french === undefined) return document;
  const word = (text: string) => (Object.hasOwn(french, text) ? french[text] : undefined) ?? text;
  return {
    ...document,
    title: word(document.title),
    facts: document.facts.map((f) => ({ ...f, title: word(f.title), value: word(f.value) })),
    sections: document.sections.map((s) => ({
      ...s,
      title: word(s.title),
      ...(s.note === undefined ? {} : { note: word(s.note) }),
      columns: s.columns.map((c) => ({ ...c, title: word(c.title) })),
      rows: s.rows.map((row) => {
        const cells = sentences.map((name) => [name, row[name]] as const);
        return {
          ...row,
          ...Object.fromEntries(
            cells.map(([n, v]) => [n, typeof v === 'string' ? word(v) : v]).filter(([, v]) => v !== undefined),
          ),
        };
      }),
    })),
  };
}
