// Distinguishes a temporarily unavailable database from errors in a statement.

const classes = /^(08...|25006|53...|57014|57P0[1-3]|58030)$/;
/** Messages of the driver and of our code that have no error code. */
const sentences =
  /^(the database gave no answer|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|no server of DATABASE_URL takes writes)/;

/** Errors that came from connections to the database: a connection to a caller of the API breaks with the same codes. */
const ofDatabase = new WeakSet<object>();

/** An error and its causes. */
export function* causesOf(error: unknown): Generator<NodeJS.ErrnoException> {
  for (let e = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) yield e;
}

/** Marks an error as one from using the database, and returns it. */
export function fromDatabase<E>(error: E): E {
  if (error instanceof Error) ofDatabase.add(error);
  return error;
}

/** Codes of errors by how PostgreSQL's messages of them begin. */
const codes = [
  [/^canceling statement due to (statement timeout|user request)/, '57014'],
  [/^deadlock detected/, '40P01'],
  [/^could not serialize access/, '40001'],
  [/^duplicate key value violates unique constraint/, '23505'],
  [/^could not (extend|write|write to) file .*No space left on device/, '53100'],
] as const;

/**
 * Where a worker of Citus does not take rows that are copied to it, the coordinator tells the worker's message without its
 * code: the code is found again by the message.
 */
export function withWorkersCode(e: Error & { readonly routine?: string }): Error {
  const code = e.routine === 'ReportCopyError' && codes.find(([begins]) => begins.test(e.message))?.[1];
  return code ? Object.assign(e, { code }) : e;
}

/**
 * Whether an error means that the database was not reached, was lost, did not answer in time, or temporarily has no
 * room or disk left: the same request may succeed later.
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

/** Whether the database was not reached, or lets nobody in by that user, password or name: where it is named is wrong, or it is. */
export const isShut = (error: unknown): boolean =>
  isAway(error) || causesOf(error).some(({ code = '' }) => /^(28...|3D000)$/.test(code));

/** Whether the disk of the database, or of this machine, is full. */
export const hasNoRoom = (error: unknown): boolean =>
  causesOf(error).some(({ code = '' }) => /^(53100|ENOSPC|EDQUOT)$/.test(code));

/** Whether PostgreSQL cancelled a statement because it took too long: the database was busy, or the statement too large. */
export const tookTooLong = (error: unknown): boolean => causesOf(error).some((e) => e.code === '57014');

/**
 * Whether PostgreSQL ended a statement so that others could go on: it was the victim of a deadlock, or of a conflict with
 * another transaction. It has done nothing.
 */
export const gaveWay = (error: unknown): boolean =>
  causesOf(error).some(({ code }) => code === '40P01' || code === '40001');

const mostTries = 5;

/** @param work is done again if it gave way to others: it keeps nothing of a try that failed */
export async function untilNotGivingWay<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (e) {
      if (!gaveWay(e) || tries === mostTries) throw e;
    }
}
