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
  listAccounts,
  listedAccount,
} from './accounts.ts';
export { changeAccount, createAccount, newWebhookSecret, secretPlace } from './administer.ts';
export { rotateKey } from './administer-keys.ts';
export { issueKey, KeyRing } from './keys.ts';
