// The settlement pages' links, and the parties its accounts belong to.

import { inWords } from '../../components/status-badge.tsx';
import type { SubPage } from '../../components/sub-pages.tsx';
import { say } from '../../words/words.ts';

export const settlementPages: readonly SubPage[] = [
  { to: '/settlement', title: say('Statement') },
  { to: '/settlement/outstanding', title: say('Outstanding chargebacks') },
  { to: '/settlement/disputes', title: say('Disputes') },
];

const names: Readonly<Record<string, string>> = {
  TAX_AUTHORITY: say('Tax authority'),
  SERVICE: say('The service'),
  MERCHANT: say('Merchant'),
  PSP: 'PSP',
  CUSTOMERS: say('Customers'),
};

/** MERCHANT_TO_RETURN as a label. */
export function accountName(account: string): string {
  const party = account.replace(/_TO_RETURN$/, '');
  const name = names[party] ?? inWords(party);
  return party === account ? name : say('{name}, to return', { name });
}

export const partNames = {
  vatAmount: say('Tax'),
  processingFee: say('Processing fee'),
  merchantAmount: say('Merchant amount'),
  transactionFee: say('Transaction fee'),
  transactionVAT: say('Tax on the fees'),
} as const;
export type Part = keyof typeof partNames;
export const parts = Object.keys(partNames) as Part[];

/** First and last day of a month: 2026-11 gives 2026-11-01 and 2026-11-30. */
export function daysOf(month: string): { dayFrom: string; dayTo: string } {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return { dayFrom: `${month}-01`, dayTo: `${month}-${last}` };
}
