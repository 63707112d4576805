// Error messages for people.

import { NoReplyError } from '@assay/client';
import { language } from '../words/language.ts';
import { say, textOf } from '../words/words.ts';
import { capitalized } from './capitalized.ts';

export interface Told {
  readonly code: string;
  readonly sentence: string;
  readonly requestId: string | undefined;
}

/** An API field name as a label: currentPassword becomes “Current password”. */
function inWords(name: string): string {
  const words = name
    .replace(/\[\d+\]/g, '')
    .split('.')
    .map((part) => part.replace(/([a-z\d])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`))
    .join(', ');
  const label = capitalized(words);
  // Where there is no label in the language, the name of the API is clearer than one in English.
  return say('“{name}”', { name: language === 'en' || textOf(label) !== label ? textOf(label) : name });
}

/** Fields that a sentence of the service names, in each of its languages. */
const fields = {
  en: /\b(?:the )?(?:query parameters?|fields?|parameter|header) '([\w.[\]-]+)'/gi,
  fr: /(?:\ble (?:champ|paramètre)|\bles (?:champs|paramètres)|l’en-tête) «\u00a0([\w.[\]-]+)\u00a0»/gi,
};

/** Without a reply it is not known whether a change was made. */
function noReply(error: unknown): string | undefined {
  if (!(error instanceof NoReplyError)) return undefined;
  const what = error.timedOut ? say('No answer came in time.') : say('The service could not be reached.');
  return `${what} ${say('What you asked for may have been done all the same: look before you repeat it.')}`;
}

/** What to show for any failure: the service's code and message, or why it could not be reached. */
export function told(error: unknown): Told {
  const e = (error ?? {}) as { code?: unknown; message?: unknown; requestId?: unknown };
  const text = (v: unknown) => (typeof v === 'string' && v !== '' ? v : undefined);
  const message = (noReply(error) ?? text(e.message) ?? say('something went wrong')).replace(
    fields[language],
    (_, name: string) => inWords(name),
  );
  return {
    code: text(e.code) ?? (error instanceof NoReplyError ? 'NO_REPLY' : 'CONSOLE'),
    sentence: `${capitalized(message)}${/[.!?]$/.test(message) ? '' : '.'}`,
    requestId: text(e.requestId),
  };
}

const statusOf = (error: unknown): number | undefined => (error as { status?: number } | null)?.status;

/** Whether the service answered that there is no such thing for this person. */
export const isNotFound = (error: unknown): boolean => statusOf(error) === 404;

/** Whether the service answered that this person may not do or see it. */
export const isForbidden = (error: unknown): boolean => statusOf(error) === 403;

/** Whether the state of what was to be changed does not allow it, such as after somebody else's change. */
export const isConflict = (error: unknown): boolean => statusOf(error) === 409;

/** Whether what was asked for is in the archive, and read there alone. */
export const isArchived = (error: unknown): boolean => statusOf(error) === 410;

/** Whether the service failed at a request that it took: asking again may help, and its log says why. */
export const isFault = (error: unknown): boolean => statusOf(error) === 500;

/** Whether more was asked for at once than the service answers. */
export const isLimited = (error: unknown): boolean => statusOf(error) === 429;

/** Whether asking again brings the same answer, until somebody signs in or what is shown changes. */
export const isFinal = (error: unknown): boolean => [401, 403, 404, 410].includes(statusOf(error) ?? 0);

/** Whether what was read before still stands: the service could not answer now, or answers later. */
export const isPassing = (error: unknown): boolean => isAway(error) || isLimited(error);

/** Whether the service did not answer, or could serve nobody: the request itself is not at fault. */
export const isAway = (error: unknown): boolean =>
  error instanceof NoReplyError || [502, 503, 504].includes(statusOf(error) ?? 0);
