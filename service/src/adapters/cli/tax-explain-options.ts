// What an explanation is asked with. Each field of a request's `taxDetails` has an option, and each payment method with a
// meaning of its own.
import { InvalidArgumentError, Option } from 'commander';
import { classifications } from '../../core/standing.ts';
import { type Supply, supplies } from '../../core/tax/supplies.ts';
import { movements } from '../../core/transaction.ts';
import { calendarDate, needed, option, wholeNumber } from './command.ts';
import type { CallOptions } from './tax-explain-call.ts';

/** Operations that can be explained. */
export const explained = ['verifyTransaction', ...movements, 'captureWager', 'capturePayout', 'recordCDR'] as const;
type Explained = (typeof explained)[number];

export interface ExplainOptions extends CallOptions {
  readonly country: string;
  readonly operation: Explained;
  readonly amount: string;
  readonly fee: string;
  readonly currency?: string;
  readonly mcc?: string;
  readonly classification?: string;
  /** Part of the country by the client's tax profile. */
  readonly subdivision?: string;
  readonly clientCountry?: string;
  readonly notRegistered?: boolean;
  readonly businessAbroad?: boolean;
  readonly sells?: Supply;
  readonly customerCountry?: string;
  readonly customerSubdivision?: string;
  readonly customerTaxNumber?: string;
  readonly singlePurposeVouchers?: string;
  readonly discounts?: string;
  readonly vouchers?: string;
  readonly cash?: string;
  readonly productLine?: string;
  readonly stake?: string;
  readonly stakeReturned?: boolean;
  readonly date?: string;
}

/** @throws InvalidArgumentError */
function part(text: string): string {
  if (/^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(text)) return text;
  throw new InvalidArgumentError('A part of a country such as CA-ON, by ISO 3166-2, is needed.');
}

export const explainOptions = (): Option[] => [
  needed('--country <code>', "ISO 3166-1 code, NG or NGA; of a wager or payout: the operator's"),
  new Option('--operation <name>', 'wire operation').choices(explained).makeOptionMandatory(),
  needed('--amount <amount>', 'gross amount: 107.50; of recordCDR the cost before tax'),
  option('--fee <amount>', "the PSP's transactionFee").default('0'),
  option('--currency <code>', "currency or asset; the country's own without it"),
  option('--mcc <code>', 'merchant category code'),
  new Option('--sells <kind>', 'what is sold, where the merchant code does not say').choices(supplies),
  option('--subdivision <code>', "of a sale, wager or payout: the client's part of the country, ISO 3166-2").argParser(
    part,
  ),
  option('--client-country <code>', "of a sale: the client's country, if it is another one"),
  option('--not-registered', 'of a sale: the client is not registered for the tax'),
  option('--customer-country <code>', 'of a sale, wager or payout: the country of the customer or player'),
  option('--customer-subdivision <code>', 'the part of the country the customer or player is in').argParser(part),
  option('--customer-tax-number <number>', "of a sale: the customer's, which is a business"),
  option('--business-abroad', 'of a sale: the customer is a business in another country, of whatever number').conflicts(
    ['customerCountry', 'customerTaxNumber'],
  ),
  option('--discounts <amount>', 'of a sale: price reductions in the amount'),
  option('--vouchers <amount>', 'of a sale: what was paid with vouchers'),
  option(
    '--single-purpose-vouchers <amount>',
    'of a sale: the part of the vouchers that was taxed when they were sold',
  ),
  option('--cash <amount>', 'of a sale: what was paid to the merchant in cash'),
  new Option('--classification <name>', "the client's; without it a PSP's own account").choices(classifications),
  option('--product-line <name>', 'of a wager: sports, casino …'),
  option('--stake <amount>', 'of capturePayout: the wager the payout answers'),
  option('--stake-returned', 'of capturePayout: it gives the stake of a void wager back'),
  option('--call-type <word>', 'of recordCDR: VOICE, SMS, DATA …; VOICE without it'),
  option('--duration <seconds>', 'of recordCDR').argParser(wholeNumber(0, 2_147_483_647)),
  option('--data-kb <kilobytes>', 'of recordCDR: the volume of a data session'),
  option('--origin <code>', 'of recordCDR: it comes in from this country, or from abroad: unknown'),
  option('--date <date>', "the country's local date; today without it").argParser(calendarDate),
];
