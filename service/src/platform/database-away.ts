// Tells the faults of a database that cannot be had just then from those of what it was asked.

const classes = /^(08...|25006|53...|57014|57P0[1-3]|58030)$/;
/** What the driver and we say without a code. */
const sentences =
  /^(the database gave no answer|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|no server of DATABASE_URL takes writes)/;

/**
 * Whether an error says that the database was not reached, was lost, did not answer in time, or has no room or disk left
 * for the moment: the same request may be answered later.
 */
export function isAway(error: unknown): boolean {
  for (let e = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    const { code = '', syscall } = e as NodeJS.ErrnoException;
    if (classes.test(code) || sentences.test(e.message)) return true;
    if (syscall === 'connect' || code === 'ECONNRESET' || code === 'EPIPE') return true;
  }
  return false;
}
