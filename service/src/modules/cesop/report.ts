// The report cesop: cross-border payments of a quarter to payees that received more than 25 of them, as the message the
// European Union requires of payment service providers, with what it lacks.

import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { isMemberState, memberStates } from '../../core/cesop/member-states.ts';
import {
  isExact,
  isTaxId,
  looksLikeVat,
  type MessageHead,
  messageEnd,
  messageStart,
  type Payee,
  type Payment,
  payeeEnd,
  payeeStart,
  paymentXml,
} from '../../core/cesop/message.ts';
import { accountWire } from '../../core/ids.ts';
import { Refusal, refuse } from '../../core/refusal.ts';
import { mostText, tooLarge } from '../../core/reports/check.ts';
import type { SaidSection } from '../../core/reports/document.ts';
import type { Quarter } from '../../core/reports/quarter.ts';
import { code, count, section, text } from '../../core/reports/table.ts';
import { day, phrase, type Said, said } from '../../core/said.ts';
import { randomUuid } from '../../platform/random.ts';
import { findAccount } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { type ReportAsked, type ReportRun, reportKind } from '../kernel/report.ts';
import { readQuarter } from '../kernel/report-period.ts';
import { Findings } from './findings.ts';
import { phonesElsewhere } from './payer-phone.ts';
import {
  countPayments,
  customersIn,
  type PayeeRow,
  payeesOf,
  paymentsTo,
  refundsOf,
  type Scope,
  threshold,
} from './payments.ts';
import { schemaIn, XsdCheck } from './xsd-check.ts';

interface Asked {
  readonly quarter: string;
  readonly memberState: string;
  readonly bic?: string;
}

interface Read {
  readonly memberState: string;
  readonly quarter: Quarter;
  readonly timeZone: string;
}

function read({ parameters: p, now }: ReportAsked<Asked>, s: Needs<'reference' | 'rates'>): Read | Refusal {
  const country = s.reference.country(p.memberState, 'memberState');
  if (country instanceof Refusal) return country;
  if (!isMemberState(country.alpha2))
    return refuse(
      'FIELD_INVALID',
      said`the field 'memberState' must be a Member State of the European Union, not '${country.alpha2}'`,
    );
  const timeZone = s.rates.book.country(country.alpha2)?.timeZone ?? country.timeZone ?? 'UTC';
  const quarter = readQuarter(p.quarter, timeZone, now);
  if (quarter instanceof Refusal) return quarter;
  if (p.bic !== undefined && !/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(p.bic))
    return refuse('FIELD_INVALID', "the field 'bic' must be a BIC of 8 or 11 characters, such as DEUTDEFF500");
  return { memberState: country.alpha2, quarter, timeZone };
}

export const cesopReport = reportKind({
  name: 'cesop',
  title: 'CESOP payment data',
  summary:
    'Cross-border payments of a quarter to payees with more than 25 of them, as XML for the CESOP of the European Union, with what it lacks.',
  audience: ['psp', 'operator'],
  parameters: Type.Object({
    quarter: Type.String({ description: "Calendar quarter, such as '2026-Q3'.", minLength: 1, maxLength: 20 }),
    memberState: Type.String({
      description: 'ISO 3166-1 code of the Member State to report to; its calendar decides the quarter.',
      minLength: 2,
      maxLength: 3,
    }),
    bic: Type.Optional(Type.String({ description: 'BIC of the PSP that reports.', maxLength: 11 })),
  }),
  read,
  async run(run, s: Needs<'settings' | 'db' | 'subjects' | 'reference'>, { quarter, memberState, timeZone }) {
    const scope: Scope = {
      psp: run.psp,
      only: run.only,
      from: new Date(quarter.from).toISOString(),
      to: new Date(quarter.to).toISOString(),
    };
    const payees = await payeesOf(run.db, scope);
    const all = await countPayments(run.db, scope);
    const psp = run.only === undefined ? run.concerned : await findAccount(run.db, run.psp, run.psp);
    const findings = new Findings();
    const pspId = accountWire(run.psp, run.psp);
    const { bic } = run.parameters;
    if (bic === undefined) findings.add('PSP_BIC_MISSING', pspId);
    await addCustomersElsewhere(s, run, scope, findings);
    const head: MessageHead = {
      memberState,
      messageId: randomUuid(),
      quarter: quarter.number,
      year: quarter.year,
      at: new Date(run.now).toISOString(),
      psp: { bic, id: pspId, name: psp?.name ?? pspId },
      empty: payees.length === 0,
    };
    const message = await write(s, run, scope, head, payees, findings);
    const reported = payees.reduce((n, p) => n + p.payments, 0);
    return {
      title: said`CESOP payment data of ${head.psp.name}, ${quarter.name}, to ${memberState}`,
      facts: [
        { name: 'quarter', title: 'Quarter', value: said`${day(quarter.first)} to ${day(quarter.last)}, ${timeZone}` },
        { name: 'messageRefId', title: 'Message', value: head.messageId },
        {
          name: 'belowThreshold',
          title: said`Cross-border payments to payees with ${threshold} or fewer`,
          value: said`${all.payments - reported} to ${all.payees - payees.length}`,
        },
      ],
      provisional: quarter.to > run.now,
      sections: [message.payees, findings.section((id) => openPayments(scope, id)), message.validation],
      further: [{ name: 'xml', contentType: 'application/xml', pieces: message.pieces }],
    };
  },
});

/** Whether a sale to a customer abroad is a payment from there is not known: they are left out, and counted. */
async function addCustomersElsewhere(
  { reference }: Needs<'reference'>,
  run: ReportRun,
  scope: Scope,
  findings: Findings,
): Promise<void> {
  const alpha2Of = new Map(
    memberStates.flatMap((code) => {
      const country = reference.country(code);
      return country instanceof Refusal
        ? []
        : [country.alpha2, country.alpha3 ?? country.alpha2].map((c) => [c, country.alpha2] as const);
    }),
  );
  for (const p of await customersIn(run.db, scope, [...alpha2Of.keys()]))
    if (alpha2Of.get(p.said.toUpperCase()) !== p.country)
      findings.add('CUSTOMER_ELSEWHERE', accountWire(run.psp, p.account), p.payments);
}

function payeeOf(run: ReportRun, row: PayeeRow, findings: Findings): Payee {
  const accountId = accountWire(run.psp, row.account);
  findings.add('PAYEE_ACCOUNT_MISSING', accountId);
  findings.add('PAYEE_ADDRESS_MISSING', accountId);
  const given = row.taxId?.replace(/[\s.]/g, '').toUpperCase() ?? '';
  const taxId = isTaxId(given) ? given : undefined;
  if (taxId === undefined) findings.add('PAYEE_TAX_ID_FORM', accountId);
  const taxIdIsVat = taxId !== undefined && isMemberState(row.country) && looksLikeVat(taxId, row.country);
  if (taxIdIsVat) findings.add('PAYEE_VAT_UNCONFIRMED', accountId);
  return { name: row.name, country: row.country, taxId, taxIdIsVat, accountId, docId: randomUuid() };
}

/** The message, in pieces; each piece is validated as a message of its own, so that memory use stays constant. */
async function write(
  s: Needs<'settings' | 'db' | 'subjects'>,
  run: ReportRun,
  scope: Scope,
  head: MessageHead,
  rows: readonly PayeeRow[],
  findings: Findings,
): Promise<{ pieces: string[]; payees: SaidSection; validation: SaidSection }> {
  const start = messageStart(head);
  const pieces = [start];
  const lines: Reported[] = [];
  const { cesopXsdDir: dir } = s.settings;
  const schema = dir === undefined ? undefined : schemaIn(dir);
  const check = typeof schema === 'object' ? new XsdCheck(schema) : undefined;
  let length = start.length;
  const total = rows.reduce((n, r) => n + r.payments, 0);
  let done = 0;
  const put = (text: string) => {
    length += text.length;
    if (length > mostText) throw refuse('LIMIT_REACHED', tooLarge(said`a message of more than ${mostText} characters`));
    pieces.push(text);
  };
  try {
    if (rows.length === 0) await check?.check(start + messageEnd);
    for (const row of rows) {
      const payee = payeeOf(run, row, findings);
      const id = payee.accountId;
      const hash = createHash('sha256');
      let refunds = 0;
      const portion = async (payments: readonly Payment[]) => {
        const text = payments.map(paymentXml).join('');
        hash.update(text);
        put(text);
        findings.add('AMOUNT_ROUNDED', id, payments.filter((p) => !isExact(p.amount)).length);
        findings.add('PAYER_BY_CALLER', id, payments.length);
        findings.add('PREMISES_NOT_TOLD', id, payments.length);
        await check?.check(start + payeeStart(payee) + text + payeeEnd(payee) + messageEnd);
        run.progress((done += payments.length), total + 1);
      };
      put(payeeStart(payee));
      for await (const page of paymentsTo(run.db, scope, row.account)) {
        await portion(page);
        findings.add('PAYER_PHONE_DIFFERS', id, await phonesElsewhere(s, run.psp, page));
      }
      for await (const page of refundsOf(run.db, scope, row.account)) {
        refunds += page.length;
        await portion(page);
      }
      put(payeeEnd(payee));
      lines.push({ ...row, clientId: id, refunds, sha256: hash.digest('hex') });
    }
  } finally {
    await check?.stop();
  }
  put(messageEnd);
  return { pieces, payees: payeesSection(scope, lines), validation: validationSection(schema, check?.problems) };
}

const openPayments = ({ from, to }: Scope, clientId: string): string =>
  `/v1/transaction?${new URLSearchParams({ clientId, status: 'APPROVED', from, to })}`;

interface Reported extends PayeeRow {
  readonly clientId: string;
  readonly refunds: number;
  readonly sha256: string;
}

const payeesSection = (scope: Scope, rows: readonly Reported[]): SaidSection =>
  section(rows, {
    name: 'payees',
    title: 'Payees reported',
    note: said`Clients that received more than ${threshold} payments from payers in other Member States; refunds are chargebacks of the quarter and do not count. The way opens to all approved transactions of the client; the hash is that of its payments in the message.`,
    columns: [
      text('clientId', 'Client'),
      text('name', 'Name'),
      text('country', 'Country'),
      count('payments', 'Payments'),
      count('refunds', 'Refunds'),
      text('sha256', 'SHA-256'),
    ],
    open: (r) => openPayments(scope, r.clientId),
  });

function validationSection(
  schema: ReturnType<typeof schemaIn> | undefined,
  problems: ReadonlyMap<string, number> | undefined,
): SaidSection {
  const usable = schema ?? 'the setting CESOP_XSD_DIR names no folder with the schema';
  const verdicts: readonly (readonly [verdict: string, what: string | Said, n: number])[] =
    typeof usable === 'string'
      ? [['NOT_VALIDATED', said`The message was not validated: ${phrase(usable)}.`, 1]]
      : problems && problems.size > 0
        ? [...problems].map(([what, n]) => ['INVALID', what, n])
        : [['VALID', said`The message is valid against ${usable.main}.`, 1]];
  return section(verdicts, {
    name: 'validation',
    title: 'Validation',
    columns: [
      code('verdict', 'Verdict', ([verdict]) => verdict),
      text('what', 'What', ([, what]) => what),
      count('count', 'Count', ([, , n]) => n),
    ],
  });
}
