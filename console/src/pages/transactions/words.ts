// Labels for transactions.
export const types: Readonly<Record<string, string>> = {
  verifyTransaction: 'Sale',
  cryptoDeposit: 'Crypto deposit',
  cryptoWithdrawal: 'Crypto withdrawal',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
};

const plays: Readonly<Record<string, string>> = { captureWager: 'Wager', capturePayout: 'Payout' };

export const typeName = (type: string): string => types[type] ?? plays[type] ?? type;

export const statuses: Readonly<Record<string, string>> = {
  APPROVED: 'Approved',
  DECLINED: 'Declined',
  PENDING: 'Pending',
};

export const declineCauses: Readonly<Record<string, string>> = {
  STANDING: 'Suspended or closed',
  HOLD: 'On hold',
  LEVEL: 'Verification level too low',
  PLAYER_PROTECTION: 'Player protection',
  RISK_POLICY: 'Risk policy',
  WITHDRAWN: 'Declined afterwards',
};

export const chargebacks: Readonly<Record<string, string>> = { true: 'Charged back', false: 'Not charged back' };

/** A table of words as a Select takes it. */
export const choices = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
