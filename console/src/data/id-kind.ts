// The kind of an id, by the letters that it begins with.

const letters = {
  case: 'cas',
  client: 'cli',
  psp: 'psp',
  transaction: 'txn',
  walletHold: 'whd',
} as const;

export const isIdOf = (kind: keyof typeof letters, id: string | null | undefined): boolean =>
  id?.startsWith(`${letters[kind]}_`) === true;
