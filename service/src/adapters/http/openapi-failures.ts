// An operation's possible refusals in the OpenAPI document: one response per status, with responses that many
// operations share under a name.
import { type RefusalCode, refusalCodes } from '../../core/refusal.ts';
import { priceRefusals } from '../../modules/kernel/amounts.ts';
import { statusOf } from './status.ts';

type Json = Record<string, unknown>;

const body: readonly RefusalCode[] = [
  'KEY_IN_URL',
  'FIELD_REQUIRED',
  'FIELD_INVALID',
  'BODY_MALFORMED',
  'QUERY_INVALID',
];
const read: readonly RefusalCode[] = ['AUDIENCE', 'SCOPE', 'PASSWORD_EXPIRED', 'SECOND_FACTOR_REQUIRED'];
const ask: readonly RefusalCode[] = [...read, 'CSRF', 'ROLE'];
const write: readonly RefusalCode[] = [...ask, 'ACCOUNT_CLOSED'];

/** Sets of codes that many operations share. */
const shared: Readonly<Record<string, readonly RefusalCode[]>> = {
  InvalidQuery: ['KEY_IN_URL', 'QUERY_INVALID'],
  InvalidRequiredQuery: ['KEY_IN_URL', 'QUERY_INVALID', 'FIELD_REQUIRED'],
  InvalidBody: body,
  InvalidBodyOrAmount: [...body, 'AMOUNT_PRECISION'],
  InvalidBodyOrCountry: [...body, 'UNKNOWN_COUNTRY'],
  InvalidBodyOrRates: [...body, 'RATES_INVALID'],
  InvalidBodyOrRatesOrCountry: [...body, 'RATES_INVALID', 'UNKNOWN_COUNTRY'],
  InvalidBodyOrPrice: [...body, ...priceRefusals],
  InvalidBodyOrPriceOrMcc: [...body, ...priceRefusals, 'UNKNOWN_MCC'],
  NotAuthenticated: ['KEY_MISSING', 'KEY_INVALID', 'SESSION_INVALID'],
  SessionInvalid: ['SESSION_INVALID'],
  NotAllowedToRead: read,
  NotAllowedToAsk: ask,
  NotAllowedToWrite: write,
  NotAllowedInSession: ['AUDIENCE', 'CSRF', 'ROLE'],
  NotAllowedToWriteAlone: [...write, 'TWO_PERSONS'],
  NotAllowedUnlessActive: [...write, 'ACCOUNT_SUSPENDED'],
  NotAllowedWithoutSignInNow: ['AUDIENCE', 'CSRF', 'ROLE', 'SIGN_IN_AGAIN'],
  NotAllowedToChangeRecord: [...write, 'NOT_RECORDER'],
  NotFound: ['NOT_FOUND'],
  Archived: ['ARCHIVED'],
  StateConflict: ['STATE_CONFLICT'],
  AlreadyRegistered: ['ALREADY_REGISTERED'],
  RefConflict: ['REF_CONFLICT'],
  RefOrChargebackConflict: ['REF_CONFLICT', 'ALREADY_CHARGED_BACK'],
  LimitReached: ['LIMIT_REACHED'],
  StateConflictOrLimitReached: ['STATE_CONFLICT', 'LIMIT_REACHED'],
  PreconditionFailed: ['PRECONDITION'],
  BodyTooLarge: ['BODY_TOO_LARGE'],
  UnsupportedContentType: ['CONTENT_TYPE'],
  TooManyRequests: ['RATE_LIMITED'],
  Busy: ['OVERLOADED'],
  Unavailable: ['OVERLOADED', 'UNKNOWN_OUTCOME'],
  NotSealedYet: ['OVERLOADED', 'NOT_SEALED'],
};

/** Codes that many operations have: a response with further codes only names these. */
const usual = new Set<RefusalCode>([...body, ...write]);

const nameOf = (codes: readonly RefusalCode[]): string | undefined =>
  Object.entries(shared).find(
    ([, set]) => set.length === codes.length && set.every((code) => codes.includes(code)),
  )?.[0];

/** The responses other than success, by status. */
export function failureResponses(codes: readonly RefusalCode[]): Record<string, Json> {
  const byStatus = new Map<number, RefusalCode[]>();
  for (const code of codes) {
    const status = statusOf[refusalCodes[code][0]];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, of]) => {
        const name = nameOf(of);
        return [status, name === undefined ? response(of, usual) : { $ref: `#/components/responses/${name}` }];
      }),
  );
}

/** `components.responses`. */
export const sharedFailures = (): Record<string, Json> =>
  Object.fromEntries(Object.entries(shared).map(([name, codes]) => [name, response(codes)]));

/** @param named codes the description only names */
function response(codes: readonly RefusalCode[], named: ReadonlySet<RefusalCode> = new Set()): Json {
  const unnamed = codes.filter((c) => !named.has(c));
  const others = codes.filter((c) => named.has(c)).map((c) => `\`${c}\``);
  return {
    description: [
      ...unnamed.map((c) => `\`${c}\`: ${refusalCodes[c][1]}`),
      ...(others.length > 0 ? [others.join(', ')] : []),
    ].join('\n\n'),
    headers: {
      'x-error-code': { schema: { type: 'string', enum: codes } },
    },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}
