// What the file drop gives a client, and what all of them together.

export const sftpLimits = {
  /** From the connection to a sign-in. */
  graceMs: 60_000,
  /** Without a request. */
  idleMs: 15 * 60_000,
  /** A login that ended is found out after so long, whatever its connection does or does not do. */
  recheckMs: 2_000,
  /** Failed sign-ins of one connection. */
  tries: 6,
  /** Failed sign-ins of one address at once, and how often another is given. */
  failures: 30,
  failureEveryMs: 20_000,
  /** Connections of one address, and of all. */
  perAddress: 20,
  connections: 256,
  /** Sessions and open files of one connection. */
  sessions: 8,
  handles: 64,
  /** Bytes of one connection that wait to be written to the disk; past it the socket is left unread. */
  unansweredBytes: 8 << 20,
  /** Requests, and answers the client does not read, of one connection; past it the connection is ended. */
  unanswered: 20_000,
  /** Bytes that wait to be sent before further ones are read from the disk. */
  unsentBytes: 1 << 20,
  /** Bytes of one answer to a read. */
  readBytes: 64 << 10,
} as const;

export type SftpLimits = { readonly [K in keyof typeof sftpLimits]: number };
