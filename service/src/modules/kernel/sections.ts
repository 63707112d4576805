// The sections of the API: what each is about, in the order in which the reference shows them, and the scope that a key
// needs for its operations.
import type { Area } from '../../core/scopes.ts';

interface Section {
  readonly about: string;
  /** Absent if it has operations of several, each of which names its own. */
  readonly area?: Area;
}

export const sections = {
  Transactions: {
    area: 'payments',
    about: 'Verify a transaction before money moves, read the decision, take it back, charge it back.',
  },
  Payments: { area: 'payments', about: 'Deposits and withdrawals of gaming and crypto accounts.' },
  Gaming: { area: 'payments', about: 'Wagers and payouts, with the taxes on stakes and winnings.' },
  Telecom: { area: 'records', about: 'Call detail records by REST and by file, what came of them, and their tax.' },
  Baskets: {
    area: 'payments',
    about: 'Goods and services that were sold, tied to the transaction that paid for them.',
  },
  Clients: { about: 'The merchants of a PSP: registration, standing, tax profile, documents, owners, licences.' },
  Webhooks: { area: 'administration', about: 'Subscriptions to events, their deliveries, and sending again.' },
  Disputes: { area: 'records', about: 'Chargebacks in the course that the card scheme prescribes.' },
  Settlement: { area: 'records', about: 'Statements of what may be settled, and chargebacks still to be set off.' },
  Totals: { area: 'records', about: 'Sums by day, currency, tax and authority.' },
  Reports: { area: 'records', about: 'Reports and tax returns: made, scheduled, filed.' },
  Overview: {
    area: 'records',
    about: 'The figures of the first page, and finding a record by whatever is known of it.',
  },
  'File drop': { area: 'administration', about: 'Access to the SFTP server that takes files of call detail records.' },
  Keys: { area: 'administration', about: 'Your own API keys and the requests that were made with them.' },
  Session: { area: 'administration', about: 'Signing in to the console, second factors, and your own sessions.' },
  Users: { area: 'administration', about: 'The people who sign in for an account, their roles and sessions.' },
  Accounts: { area: 'administration', about: 'PSPs, operators and clients as staff see them: standings, holds, keys.' },
  Rates: { area: 'payments', about: 'Tax rules, fees and exchange rates: what is in force, and how it is changed.' },
  Proposals: { area: 'administration', about: 'Changes that a second person must approve.' },
  'Risk rules': {
    about: 'Rules that watch, hold up or decline, what each account does with them, and trying them out.',
  },
  Reviews: { area: 'records', about: 'Records that a rule or a person wants looked at.' },
  Cases: { area: 'records', about: 'Investigations, with files, second persons and reports to the authorities.' },
  Lists: { about: 'Lists of sanctions, of politically exposed persons and of your own, and the matches with them.' },
  Players: { about: 'Exclusions and limits of players, and what they have won and lost.' },
  Persons: { about: 'Finds, shows and erases what is recorded of a person.' },
  Audit: { area: 'records', about: 'The journal, receipts, and proofs that a third party can check.' },
  Authorities: { area: 'records', about: 'Records that a tax authority may read, and who is let in for one.' },
} as const satisfies Record<string, Section>;

export type Tag = keyof typeof sections;
/** Sections whose operations each name their area. */
type MixedTag = { [T in Tag]: (typeof sections)[T] extends { area: Area } ? never : T }[Tag];

/** An operation has the area of its section, unless it names another. */
export type Placed =
  | { readonly tag: Exclude<Tag, MixedTag>; readonly area?: Area }
  | { readonly tag: MixedTag; readonly area: Area };

/** The scope that a key needs for an operation. */
export const areaOf = (o: { readonly tag: Tag; readonly area?: Area | undefined }): Area =>
  o.area ?? sections[o.tag as Exclude<Tag, MixedTag>].area;
