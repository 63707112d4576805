// Refusals: expected errors, as data. A refusal has a code for machines, a kind that HTTP, the command line and SFTP
// map to their own protocols, and a sentence for the person who reads it. No HTTP status codes here.
import { phrase, type Said, said } from './said.ts';

// A refusal is written with its sentence.
export { phrase, type Said, said, stored } from './said.ts';

/**
 * The kind of refusal. HTTP maps it to a status, the command line to an exit code, SFTP to a status file; each maps all
 * kinds.
 */
export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'gone'
  | 'conflict'
  | 'precondition'
  | 'too-large'
  | 'unsupported-type'
  | 'method'
  | 'limited'
  | 'unavailable';

/** Machine-readable codes, sent in the header `x-error-code`. The reference page is generated from this table. */
export const refusalCodes = {
  FIELD_REQUIRED: ['invalid', 'A required field is missing.'],
  FIELD_INVALID: ['invalid', 'A field has the wrong type, form or range.'],
  BODY_MALFORMED: ['invalid', 'The body is not strict JSON in UTF-8.'],
  QUERY_INVALID: ['invalid', 'A query parameter or header is missing or malformed.'],
  AMOUNT_PRECISION: ['invalid', 'An amount has more decimals or digits than its asset allows.'],
  UNKNOWN_CURRENCY: ['invalid', 'The currency or asset is not known, or not in use on that date.'],
  UNKNOWN_COUNTRY: ['invalid', 'The country code is not known.'],
  UNKNOWN_MCC: ['invalid', 'The merchant category code is not known.'],
  NO_TAX_RULE: ['invalid', 'No tax rule covers this country and date.'],
  TAX_RATE_UNKNOWN: [
    'invalid',
    'A tax is or may be due whose rate nobody found, and UNKNOWN_TAX=refuse: nothing was recorded.',
  ],
  NO_FEE_RULE: ['invalid', 'No fee schedule covers this operation and date.'],
  SPLIT_NEGATIVE: ['invalid', 'Taxes and fees together exceed the amount.'],
  KEY_IN_URL: ['invalid', 'A key was sent in the address.'],
  RATES_INVALID: ['invalid', 'Tax rules, fees or exchange rates were refused as a whole; those in force stay.'],
  RISK_RULE_INVALID: ['invalid', 'A rule of the risk book was refused; those in force stay.'],
  LIST_INVALID: ['invalid', 'A list was refused as a whole; the one in force stays.'],
  RECORD_INVALID: ['invalid', 'A call detail record breaks one or more rules.'],
  REQUEST_TIMEOUT: ['invalid', 'The request did not come within 30 s: the answer is 408. Nothing was recorded.'],
  KEY_MISSING: ['unauthenticated', 'No API key was sent.'],
  KEY_INVALID: ['unauthenticated', 'The API key is not valid.'],
  SESSION_INVALID: ['unauthenticated', 'The session is unknown, has ended or has expired. Sign in again.'],
  SIGN_IN_FAILED: [
    'unauthenticated',
    'The e-mail, the password or another proof is wrong, or the sign-in is locked for a while.',
  ],
  CSRF: ['forbidden', 'A call with the session cookie came without its x-csrf-token.'],
  PASSWORD_EXPIRED: ['forbidden', 'The password must be changed before anything else.'],
  SECOND_FACTOR_REQUIRED: ['forbidden', 'A second factor must be set up before anything else.'],
  SIGN_IN_AGAIN: ['forbidden', 'This needs a sign-in of the last 15 minutes: sign in again.'],
  ROLE: ['forbidden', "The person's role does not allow this."],
  ACCOUNT_CLOSED: ['forbidden', 'The account or its PSP is closed: it may read, and change nothing.'],
  ACCOUNT_SUSPENDED: ['forbidden', 'The account or its PSP is suspended, and this needs an ACTIVE one.'],
  SCOPE: ['forbidden', "The key's scopes do not permit this."],
  AUDIENCE: ['forbidden', 'This kind of key may not call this operation.'],
  TWO_PERSONS: ['forbidden', 'This needs two people who are independent of each other.'],
  NOT_RECORDER: [
    'forbidden',
    'Only the account that recorded the transaction, or its PSP, may do this; a chargeback its PSP alone.',
  ],
  RECEIPT_WITHHELD: ['forbidden', 'The receipt states a reason that only operators of the service may read.'],
  NOT_FOUND: ['not-found', 'Unknown, or not visible to this key.'],
  NO_ROUTE: ['not-found', 'No such address.'],
  ARCHIVED: ['gone', 'The record, or part of what is requested, is in the archive. It is not decided again.'],
  REF_CONFLICT: [
    'conflict',
    'The ref was used before, with another body or by a call of another kind. verifyTransaction revises its own, and answers this where a deposit or withdrawal has the ref.',
  ],
  REF_AMBIGUOUS: ['conflict', 'The ref exists for several clients of this PSP.'],
  PLAYER_EXCLUDED: [
    'conflict',
    'The player is excluded from gambling, and the PSP enforces that: nothing was recorded.',
  ],
  RISK_POLICY: [
    'conflict',
    'A rule of the risk book that the PSP switched on does not allow the wager; it was not recorded.',
  ],
  PLAYER_LIMIT: ['conflict', 'The player would exceed a limit that the PSP enforces: nothing was recorded.'],
  STATE_CONFLICT: ['conflict', 'The record is in a state that does not allow this.'],
  ALREADY_CHARGED_BACK: ['conflict', 'A chargeback exists already.'],
  NETTING_EXCESS: ['conflict', 'More is netted than is outstanding, or than the later transaction settles.'],
  ALREADY_REGISTERED: ['conflict', 'This client is already registered.'],
  BASKET_MISMATCH: ['conflict', 'The transaction differs from its basket.'],
  LIMIT_REACHED: ['conflict', 'A limit on the number of these is reached.'],
  VERSION_CONFLICT: ['conflict', 'The resource was changed meanwhile.'],
  PRECONDITION: [
    'precondition',
    'The thing is another one than `If-Match` or `If-None-Match` expects: nothing was saved. Read it again.',
  ],
  BODY_TOO_LARGE: ['too-large', 'The body is larger than this operation allows.'],
  CONTENT_TYPE: ['unsupported-type', 'The content type is not application/json.'],
  METHOD: ['method', 'The address does not support this method.'],
  RATE_LIMITED: ['limited', 'Too many requests with this key, or too many failed sign-ins.'],
  NOT_SEALED: ['unavailable', 'The record is not sealed yet. Try again after Retry-After.'],
  OVERLOADED: ['unavailable', 'The service is busy or stopping. Nothing was recorded.'],
  UNKNOWN_OUTCOME: ['unavailable', 'The outcome is unknown. Repeat the same request with the same ref.'],
} as const satisfies Record<string, readonly [RefusalKind, string]>;

export type RefusalCode = keyof typeof refusalCodes;

/** An expected error. The core returns it as a value; only outer layers throw it, which is why it is an Error. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /** The message, which can be said in another language. */
  readonly said: Said;
  /** Seconds to wait before a retry, for `limited` and `unavailable`. */
  readonly retryAfterS: number | undefined;

  constructor(code: RefusalCode, message: string | Said, retryAfterS?: number) {
    super(String(message));
    this.said = phrase(message);
    this.name = 'Refusal';
    this.code = code;
    this.retryAfterS = retryAfterS;
  }

  get kind(): RefusalKind {
    return refusalCodes[this.code][0];
  }
}

/** Builds a refusal; the sentence says what is wrong, where, and what to do. */
export function refuse(code: RefusalCode, message: string | Said, retryAfterS?: number): Refusal {
  return new Refusal(code, message, retryAfterS);
}

/** For outer layers, which throw what the core returns. @throws the refusal */
export function orThrow<T>(found: T | Refusal): T {
  if (found instanceof Refusal) throw found;
  return found;
}

/** The same whether there is no such thing or the caller may not see it. */
export const notFound = (): Refusal => refuse('NOT_FOUND', 'not found, or not yours to see');

/** @param date local day of the country; without it, no day has a rule */
export const noTaxRule = (country: string, date?: string): Refusal =>
  refuse(
    'NO_TAX_RULE',
    date === undefined
      ? said`no tax rule for country '${country}'; an operator of the service can add one`
      : said`no tax rule for country '${country}' on ${date}; an operator of the service can add one`,
  );
