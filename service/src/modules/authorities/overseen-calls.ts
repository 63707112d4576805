// Calls as authorities see them: their schema, which an authority may read, and how a row is shown.
import { cdrClasses } from '../../core/cdr/classify.ts';
import { type PspId, toWire } from '../../core/ids.ts';
import { wireNumber } from '../../core/money.ts';
import { monthsIn } from '../../core/oversight.ts';
import { refuse } from '../../core/refusal.ts';
import { type Call, Extended, Id, Money, Named, type Needs, Nullable, Type } from '../kernel/operation.ts';
import { taxCodesOf } from '../rates/index.ts';
import {
  CallTaxAmounts,
  type CdrAnalysisRow,
  type CdrRecord,
  findCdrs,
  howDueOf,
  Month,
  maskedNumbers,
  type ShownNumbers,
} from '../telecom/index.ts';
import { codeSeen, ownerFields, owners, rulesIn, type ViewRead } from './overseen.ts';
import { asAuthority, pspsIn, viewOf } from './view.ts';

export const AuthorityCall = Named('AuthorityCall', 'A call as an authority sees it.', {
  cdrId: Type.String(),
  ...ownerFields,
  period: Type.String({ description: 'Month it counts in, YYYY-MM.' }),
  callPeriod: Type.String({ description: "Month of the call in the country's calendar." }),
  class: Type.Enum(cdrClasses),
  otherCountry: Nullable(Type.String({ description: 'Country of the other party, if it is known and differs.' })),
  callStart: Type.String({ description: 'Start of the call, ISO 8601 UTC.' }),
  seconds: Type.Integer(),
  dataKb: Type.Number(),
  answered: Type.Boolean(),
  networkProvider: Type.String({ description: 'The network that carried the call.' }),
  callerNumber: Type.String({ description: 'The calling number, with most of its digits hidden.' }),
  receiverNumber: Type.String({ description: 'The called number, with most of its digits hidden.' }),
  cost: Money('Cost before tax.'),
  currency: Type.String({ description: 'Currency of the cost.' }),
  taxes: Type.Array(
    Extended(CallTaxAmounts, 'AuthorityCallTax', 'A tax of a call.', {
      taxCode: Nullable(Type.String(), 'Code of the tax.'),
      rule: Type.String({ description: 'Id of the rule.' }),
    }),
    { description: 'Its taxes, of those that the authority is responsible for.' },
  ),
});

/** What names an operator and one of its months, as a total of calls has it. */
export const callsQuery = {
  ...asAuthority,
  pspId: Id('The PSP, as the total has it.'),
  clientId: Id('The operator, as the total has it.'),
  period: Month('Only calls that count in this month.'),
};

interface AskedCalls {
  readonly authorityId?: string;
  readonly pspId?: string;
  readonly period?: string;
  readonly taxCode?: string;
}

export interface CallsRead extends ViewRead {
  readonly psps: readonly PspId[];
  readonly country: string;
  readonly rules: readonly string[] | undefined;
  readonly first: string;
  readonly last: string;
}

/** @returns undefined if the view has no calls, or none of the month asked for @throws QUERY_INVALID, NOT_FOUND */
export async function readCalls(
  s: Needs<'db'>,
  call: Pick<Call<unknown, AskedCalls>, 'principal' | 'query'>,
): Promise<CallsRead | undefined> {
  const { pspId, period, taxCode } = call.query;
  const view = await viewOf(s, call);
  const psps = await pspsIn(s, pspId);
  const months = monthsIn(view);
  const first = period ?? months.first;
  const last = period ?? months.last;
  if (!view.recordKinds.includes('cdr') || first < months.first || last > months.last) return undefined;
  const read = { view, codes: await taxCodesOf(s.db, view.country) };
  return { ...read, psps, country: view.country, rules: rulesIn(read, taxCode), first, last };
}

/** Whether what may be read has the call. */
export const isSeen = ({ country, first, last, rules }: CallsRead, a: CdrAnalysisRow): boolean =>
  a.country === country &&
  a.period >= first &&
  a.period <= last &&
  (rules === undefined || a.taxes.some((t) => rules.includes(t.ruleId)));

/** Numbers in clear are for people of authorities, whose reads are journalled. @throws QUERY_INVALID */
export function expectJournalled({ principal }: Pick<Call, 'principal'>): void {
  if (principal.view === undefined)
    throw refuse(
      'QUERY_INVALID',
      "the query parameter 'reason' is for people of authorities, whose reads are journalled",
    );
}

/** How analysed calls are shown. @param numbers of a record that may be shown */
export async function showingCalls(
  s: Needs<'db'>,
  read: ViewRead,
  rows: readonly CdrAnalysisRow[],
  numbers: (c: CdrRecord) => ShownNumbers = maskedNumbers,
) {
  const [{ psp } = { psp: undefined }] = rows;
  const found =
    psp === undefined
      ? []
      : await findCdrs(
          s.db,
          psp,
          rows.map((r) => r.cdr),
        );
  const records = new Map(found.map((c) => [c.id, c]));
  const ownerOf = await owners(s, rows);
  return (a: CdrAnalysisRow) => {
    const c = records.get(a.cdr);
    const shown = c === undefined ? { caller: '', receiver: '' } : numbers(c);
    return {
      cdrId: toWire('cdr', a.cdr),
      ...ownerOf(a),
      period: a.period,
      callPeriod: a.callPeriod,
      class: a.class,
      otherCountry: a.otherCountry,
      callStart: c?.callStart ?? '',
      seconds: a.durationS,
      dataKb: wireNumber(a.dataKb),
      answered: a.answered,
      networkProvider: c?.networkProvider ?? '',
      callerNumber: shown.caller,
      receiverNumber: shown.receiver,
      cost: wireNumber(a.cost),
      currency: a.currency,
      taxes: a.taxes.flatMap((t) => {
        const taxCode = codeSeen(read, t.ruleId);
        if (taxCode === undefined) return [];
        const amounts = {
          taxable: t.taxable === null ? null : wireNumber(t.taxable),
          quantity: t.quantity === null ? null : wireNumber(t.quantity),
        };
        const { currency, reason, owedBy } = t;
        return [{ taxCode, rule: t.ruleId, currency, ...amounts, tax: wireNumber(t.tax), reason, ...howDueOf(owedBy) }];
      }),
    };
  };
}
