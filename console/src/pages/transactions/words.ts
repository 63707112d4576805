// Labels for transactions.
import { say } from '../../words/words.ts';
export const types: Readonly<Record<string, string>> = {
  verifyTransaction: say('Sale'),
  cryptoDeposit: say('Crypto deposit'),
  cryptoWithdrawal: say('Crypto withdrawal'),
  deposit: say('Deposit'),
  withdrawal: say('Withdrawal'),
};

const others: Readonly<Record<string, string>> = {
  captureWager: say('Wager'),
  capturePayout: say('Payout'),
  recordCDR: say('Call record'),
  submitBasket: say('Basket'),
};

export const typeName = (type: string): string => types[type] ?? others[type] ?? type;

export const statuses: Readonly<Record<string, string>> = {
  APPROVED: say('Approved'),
  DECLINED: say('Declined'),
  PENDING: say('Pending'),
};

export const declineCauses: Readonly<Record<string, string>> = {
  STANDING: say('Suspended or closed'),
  HOLD: say('On hold'),
  LEVEL: say('Verification level too low'),
  PLAYER_PROTECTION: say('Player protection'),
  RISK_POLICY: say('Risk policy'),
  WITHDRAWN: say('Declined afterwards'),
};

export const chargebacks: Readonly<Record<string, string>> = {
  true: say('Charged back'),
  false: say('Not charged back'),
};

/** A table of words as a Select takes it. */
export const choices = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
