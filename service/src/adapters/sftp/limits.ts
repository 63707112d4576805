// Limits of the file drop, per client and in total.

export const sftpLimits = {
  /** From the connection to a sign-in. */
  graceMs: 60_000,
  /** Since the last request. */
  idleMs: 15 * 60_000,
  /** A login that has ended is noticed within this time, whatever its connection does. */
  recheckMs: 2_000,
  /** Failed sign-ins per connection. */
  tries: 6,
  /** Failed sign-ins per address at once, and the interval at which one more is allowed. */
  failures: 30,
  failureEveryMs: 20_000,
  /** Exchanges of keys per address at once, and the interval at which one more is allowed: each holds up the whole process. */
  exchanges: 120,
  exchangeEveryMs: 500,
  /** Connections per address, and in total; of those in total who has not signed in gives way to who comes. */
  perAddress: 20,
  connections: 256,
  /** Sessions and open files per connection. */
  sessions: 8,
  handles: 64,
  /** Bytes of requests per connection that wait, such as for the disk; beyond it the socket is not read. */
  unansweredBytes: 8 << 20,
  /** Requests, and answers the client does not read, per connection; beyond it the connection is closed. */
  unanswered: 20_000,
  /** Bytes waiting to be sent before more are read from disk. */
  unsentBytes: 1 << 20,
  /** Bytes in one answer to a read. */
  readBytes: 64 << 10,
} as const;

export type SftpLimits = { readonly [K in keyof typeof sftpLimits]: number };
