// What others may ask about accounts and keys.
export {
  type Account,
  AccountDirectory,
  accountResource,
  bothAccounts,
  clientId,
  concerned,
  concernedAccount,
  expectAccounts,
  findAccount,
} from './accounts.ts';
export { issueKey, KeyRing } from './keys.ts';
