// What other modules may use of accounts and keys.

export { accountResource, type Viewer, viewerOf } from './account-resource.ts';
export { accountRows } from './account-rows.ts';
export {
  type Account,
  accountChange,
  accountNames,
  anyAccountNames,
  bothAccounts,
  clientId,
  concerned,
  concernedAccount,
  expectAccounts,
  findAccount,
  findAnyAccount,
  findOperator,
  findTestAccount,
  type HasAccounts,
  isTestTenant,
  knownAccount,
  listAccounts,
  livePsps,
} from './accounts.ts';
export { changeAccount, createAccount, createKeyless, newWebhookSecret, secretPlace } from './administer.ts';
export { addKey, revokeKey } from './administer-keys.ts';
export { operatorKeyText, operatorText, type ProposedKey } from './approved-keys.ts';
export { underKey } from './authority.ts';
export {
  type Authority,
  authorityResource,
  authorityRow,
  authorityState,
  clientNames,
  findAuthority,
  listAuthorities,
  lockAuthority,
  namesOf,
  viewResource,
} from './authority-store.ts';
export { makeCaches } from './caches.ts';
export {
  caseHold,
  changedStanding,
  type ForgetsSessions,
  forgetChanged,
  ruleHold,
  type StandingChange,
  stillOnHold,
} from './changed-standing.ts';
export { AccountKey, GraceHours, IssuedKey, keyFields, ListedKey, longestGraceHours } from './key-fields.ts';
export { accountKeyResource, keyResource, listAllKeys, listKeys, type ReachedKey, reachedKey } from './key-lists.ts';
export { keyNames, wasRevoked } from './key-names.ts';
export type { HasKeys } from './keys.ts';
export { issuedFor } from './lifetimes.ts';
export { accountAsked, clientAsked, listedClient, type Reach, reachOf } from './listed-client.ts';
export { rotateKey } from './rotate-key.ts';
export { standingsColumn, standingsJoins, strictestOf } from './standings.ts';
