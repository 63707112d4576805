// What others may ask about accounts and keys.
export {
  type Account,
  AccountDirectory,
  accountChange,
  accountResource,
  bothAccounts,
  clientId,
  concerned,
  concernedAccount,
  expectAccounts,
  findAccount,
  findAnyAccount,
  listedAccount,
} from './accounts.ts';
export { createAccount, rotateKey } from './administer.ts';
export { issueKey, KeyRing } from './keys.ts';
