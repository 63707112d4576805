// Tells the faults of a database that cannot be had just then from those of what it was asked.

const classes = /^(08...|25006|53...|57014|57P0[1-3]|58030)$/;
/** What the driver and we say without a code. */
const sentences =
  /^(the database gave no answer|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|no server of DATABASE_URL takes writes)/;

/** Errors that a connection to the database ended with: a caller's connection breaks with the same codes. */
const ofDatabase = new WeakSet<object>();

/** An error and what it was caused by. */
export function* causesOf(error: unknown): Generator<NodeJS.ErrnoException> {
  for (let e = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) yield e;
}

/** Marks an error as one that using the database ended with, and returns it. */
export function fromDatabase<E>(error: E): E {
  if (error instanceof Error) ofDatabase.add(error);
  return error;
}

/**
 * Whether an error says that the database was not reached, was lost, did not answer in time, or has no room or disk left
 * for the moment: the same request may be answered later.
 */
export function isAway(error: unknown): boolean {
  let asked = false;
  for (const e of causesOf(error)) {
    asked ||= ofDatabase.has(e);
    const { code = '', syscall } = e;
    if (classes.test(code) || sentences.test(e.message)) return true;
    if (asked && (syscall === 'connect' || code === 'ECONNRESET' || code === 'EPIPE')) return true;
  }
  return false;
}

/** Whether PostgreSQL broke a statement off because it took too long: the database was busy, or it was too much for one. */
export const tookTooLong = (error: unknown): boolean => causesOf(error).some((e) => e.code === '57014');
