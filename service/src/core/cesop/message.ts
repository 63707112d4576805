// A CESOP payment-data message (Directive (EU) 2020/284, Implementing Regulation (EU) 2022/1504) as XML, in pieces: names
// and order as in the published schema, version 4.03. Pure.
import { decimal, divideRounded, formatUnits, pow10 } from '../money.ts';
import { xmlElement as element, xmlText } from '../xml.ts';
import { vatPrefixOf } from './member-states.ts';

const schemaVersion = '4.03';
export const messageNamespace = 'urn:ec.europa.eu:taxud:fiscalis:cesop:v1';
const commonNamespace = 'urn:eu:taxud:commontypes:v1';

export interface MessageHead {
  /** Member State that receives the report. */
  readonly memberState: string;
  /** UUID of version 4. */
  readonly messageId: string;
  readonly quarter: number;
  readonly year: number;
  /** ISO time. */
  readonly at: string;
  readonly psp: { readonly bic?: string | undefined; readonly id: string; readonly name: string };
  /** True if there is no payee to report. */
  readonly empty: boolean;
}

export interface Payee {
  readonly name: string;
  readonly country: string;
  /** Undefined if unknown or if it does not fit the schema. */
  readonly taxId?: string | undefined;
  readonly taxIdIsVat: boolean;
  /** The client's id, which identifies the payee at the PSP. */
  readonly accountId: string;
  /** UUID of version 4. */
  readonly docId: string;
}

export interface Payment {
  readonly id: string;
  /** Document id of the payment that this refund returns. */
  readonly refundOf?: string | undefined;
  /** ISO time. */
  readonly at: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly payerCountry: string;
}

/** Two decimals, as the schema requires. */
export function messageAmount(amount: string): string {
  const { units, scale } = decimal(amount);
  const cents = scale <= 2 ? units * pow10(2 - scale) : divideRounded(units, pow10(scale - 2), 'HALF_UP');
  const [whole, fraction = ''] = formatUnits(cents, 2).split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

export const isExact = (amount: string): boolean => decimal(amount).scale <= 2;

/** Whether a tax number fits the schema. */
export const isTaxId = (text: string): boolean => /^[A-Za-z0-9\-+]{1,20}$/.test(text);

/** Whether it has the form of that Member State's VAT numbers; it is not checked to exist. */
export const looksLikeVat = (taxId: string, country: string): boolean =>
  new RegExp(`^${vatPrefixOf(country)}[A-Z0-9]{2,13}$`).test(taxId);

export const messageStart = (h: MessageHead): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<CESOP xmlns="${messageNamespace}" xmlns:cm="${commonNamespace}" version="${schemaVersion}">`,
    '<MessageSpec>',
    element('TransmittingCountry', h.memberState),
    element('MessageType', 'PMT'),
    element('MessageTypeIndic', h.empty ? 'CESOP102' : 'CESOP100'),
    element('MessageRefId', h.messageId),
    `<ReportingPeriod>${element('Quarter', String(h.quarter))}${element('Year', String(h.year))}</ReportingPeriod>`,
    element('Timestamp', h.at),
    '</MessageSpec>\n<PaymentDataBody><ReportingPSP>',
    h.psp.bic === undefined
      ? element('PSPId', h.psp.id, ' PSPIdType="Other" PSPIdOther="Assay account id"')
      : element('PSPId', h.psp.bic, ' PSPIdType="BIC"'),
    element('Name', h.psp.name, ' nameType="BUSINESS"'),
    '</ReportingPSP>\n',
  ].join('');

export const messageEnd = '</PaymentDataBody></CESOP>\n';

export function payeeStart(p: Payee): string {
  const country = xmlText(p.country);
  const tax =
    p.taxId === undefined
      ? '<TAXIdentification/>'
      : `<TAXIdentification>${element('TAXId', p.taxId, ` issuedBy="${country}" type="${p.taxIdIsVat ? 'UNCONFIRMED_VAT' : 'TIN'}"`)}</TAXIdentification>`;
  return [
    '<ReportedPayee>',
    element('Name', p.name, ' nameType="BUSINESS"'),
    element('Country', p.country),
    `<Address>${element('cm:CountryCode', p.country)}</Address>`,
    tax,
    element(
      'AccountIdentifier',
      p.accountId,
      ` CountryCode="${country}" type="Other" accountIdentifierOther="Assay account id"`,
    ),
    '\n',
  ].join('');
}

export const payeeEnd = (p: Payee): string =>
  `<DocSpec>${element('cm:DocTypeIndic', 'CESOP1')}${element('cm:DocRefId', p.docId)}</DocSpec></ReportedPayee>\n`;

/** A distance sale, not at the merchant's premises. */
export function paymentXml(p: Payment): string {
  const refund = p.refundOf !== undefined;
  const amount = messageAmount(p.amount);
  return [
    refund ? '<ReportedTransaction IsRefund="true">' : '<ReportedTransaction>',
    element('TransactionIdentifier', p.id),
    refund ? element('CorrTransactionIdentifier', p.refundOf as string) : '',
    element('DateTime', p.at, ' transactionDateType="CESOP703"'),
    element('Amount', refund ? `-${amount}` : amount, ` currency="${xmlText(p.currency)}"`),
    '<InitiatedAtPhysicalPremisesOfMerchant>false</InitiatedAtPhysicalPremisesOfMerchant>',
    element('PayerMS', p.payerCountry, ' PayerMSSource="Other"'),
    '</ReportedTransaction>\n',
  ].join('');
}
