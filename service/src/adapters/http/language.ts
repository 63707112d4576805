// The language that the service's sentences are said in: the first that the caller asks for by Accept-Language and that there is.
// English is for all who ask for none.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { english, type Language, languages, Said } from '../../core/said.ts';
import type { Reply } from '../../modules/kernel/operation.ts';
import { frenchOf, frenchWords } from '../../platform/words.ts';

/** Longer headers are cut: no browser sends as much. */
const mostCharacters = 200;

const isLanguage = (tag: string | undefined): tag is Language => languages.some((l) => l === tag);

/** @param header as in RFC 9110: tags such as fr-CA, each with its weight */
export function languageOf(header: string | undefined): Language {
  if (header === undefined) return 'en';
  const wanted = header
    .slice(0, mostCharacters)
    .toLowerCase()
    .split(',')
    .map((part) => ({
      language: part.trim().split(/[-;\s]/)[0],
      weight: Number(/;\s*q=([\d.]{1,5})\s*$/.exec(part)?.[1] ?? 1),
    }))
    .sort((a, b) => b.weight - a.weight);
  return (
    wanted
      .filter((w) => w.weight > 0)
      .map((w) => w.language)
      .find(isLanguage) ?? 'en'
  );
}

/** A sentence in the caller's language, which the answer then names. */
export function sayTo({ headers }: FastifyRequest, reply: FastifyReply, sentence: Said): string {
  const language = languageOf(headers['accept-language']);
  reply.header('content-language', language);
  return sentence.by(language === 'fr' ? frenchWords() : english);
}

type Holder = Readonly<Record<string, unknown>>;

const taxes = ['tax.note', 'accruals.note'];
const review = ['.reason', 'findings.message'];

/**
 * Fields of replies, by what holds them, in which sentences of the service stand that are stored, or found for the reply, in
 * English. In none of them is what people wrote, except in those named `reason` (`written`), nor a document with a hash, such
 * as a receipt.
 */
const sayingFields: Readonly<Record<string, readonly string[]>> = {
  checkRiskRule: ['.problems'],
  getAuthorityBasket: ['observations.message'],
  getBasket: ['observations.message'],
  getCase: ['reviews.reason', 'findings.message'],
  getCdr: ['taxes.note', 'warnings.message'],
  getClient: [
    '.reason',
    'observations.message',
    'flags.reason',
    'shownToClient.reason',
    'requirements.what',
    'requirements.law',
  ],
  getPayout: ['observations.message', ...taxes],
  getReport: ['.reason'],
  getReview: review,
  getServiceStatus: ['checks.title', 'checks.value', 'checks.advice'],
  getTransaction: ['observations.message', 'decision.reason', ...taxes],
  getTransactionHistory: ['items.reason'],
  getWager: ['observations.message', ...taxes],
  getWebhook: ['.stateReason'],
  listCdrFileErrors: ['items.message'],
  listFilingForms: ['items.authority', 'items.title', 'items.english', 'items.says', 'periods.who'],
  listFilingPeriods: ['items.title', 'items.english'],
  listJournal: ['items.reason'],
  listReports: ['items.reason'],
  listRequests: ['items.meaning'],
  listReportSchedules: ['items.problem'],
  listReviews: ['items.reason', 'findings.message'],
  listTaxChanges: ['items.note'],
  listWebhooks: ['items.stateReason'],
  noteReview: review,
  resolveReview: review,
  taxQuote: ['observations.message', ...taxes],
  verifyClientStatus: ['flags.reason', 'shownToClient.reason', 'items.what', 'items.law'],
};

/** Texts of the data of laws and forms: only the whole text is theirs, for a person may have written another one. */
const ofLaws = /^(?!checks\.).*\.(says|note|title|english|who|authority)$/;

/** Who acts for the service itself, in reviews, holds and the journal. */
const itself = new Set<unknown>(['system', 'rule', 'webhook delivery']);

/** Whether a person wrote the reason that a review, hold, entry of the journal or webhook address has; never that of a verdict. */
const written = ({ openedBy, setBy, actor, state, revision }: Holder): boolean => {
  if (revision !== undefined && revision !== null) return false;
  const by = openedBy ?? setBy ?? (actor as Holder | undefined)?.by;
  return by === undefined ? state === 'PAUSED' || state === 'DELETED' : !itself.has(by);
};

/** What a field says, in French. */
function frenchIn(path: string, text: string, holder: Holder): string {
  if (ofLaws.test(path)) return frenchWords().get(text) ?? text;
  return /reason$/i.test(path) && written(holder) ? text : frenchOf(text);
}

/** Sentences of lists that a file for people says, where programs read a list's JSON by its English. */
const inFiles: typeof sayingFields = { listTransactions: ['items.reason', 'observations.message'] };

/** A page of a list with the service's sentences in the language of a file for people. */
export const pageIn = (language: Language, operation: string, page: unknown): unknown =>
  contentIn(language, operation, page, sayingFields[operation] ?? inFiles[operation]);

/** The content of a reply with the service's sentences in a language. */
function contentIn(language: Language, operation: string, content: unknown, fields = sayingFields[operation]): unknown {
  return fields !== undefined && language === 'fr' ? saidIn(content, fields) : content;
}

/** The envelope of a reply, with the service's sentences in the caller's language, which the answer then names. */
export function bodyTo(request: FastifyRequest, reply: FastifyReply, operation: string, answer: Reply): string {
  const { message, content } = answer;
  const language = languageOf(request.headers['accept-language']);
  const said = contentIn(language, operation, content);
  if (said !== content) reply.header('content-language', language);
  return JSON.stringify({ success: true, message, content: said });
}

/** @param holder the field that holds the value, or the list that the value is in */
function saidIn(value: unknown, fields: readonly string[], holder = ''): unknown {
  if (Array.isArray(value)) return value.map((v) => saidIn(v, fields, holder));
  // Amounts keep their digits in objects of their own.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, v]) => {
      const path = `${holder}.${name}`;
      if (!fields.includes(path)) return [name, saidIn(v, fields, name)];
      const french = (text: unknown) =>
        text instanceof Said
          ? text.by(frenchWords())
          : typeof text === 'string'
            ? frenchIn(path, text, value as Holder)
            : text;
      return [name, Array.isArray(v) ? v.map(french) : french(v)];
    }),
  );
}
