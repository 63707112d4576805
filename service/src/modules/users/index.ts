// What other modules may use of people who sign in.
export { createUser } from './change-user.ts';
export { firstAdministrator, staffAccount } from './first-administrator.ts';
export { areIndependent } from './independence.ts';
export { type HasSessions, type SessionRing, sessionCookie } from './sessions.ts';
export { makeSignIn, passwordCost } from './sign-in.ts';
export type { HasSignIns, Turns } from './turns.ts';
export { userNames } from './user-names.ts';
export { deleteSessions, findUsersByEmail, plainEmail } from './user-store.ts';
