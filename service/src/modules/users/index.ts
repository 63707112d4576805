// What other modules may use of people who sign in.
export { disableUser } from './change-user.ts';
export { firstAdministrator } from './first-administrator.ts';
export { expectAnother } from './independence.ts';
export { type HasSessions, sessionCookie } from './sessions.ts';
export { makeSignIn, passwordCost } from './sign-in.ts';
export { expectStillHere, isStillHere } from './still-here.ts';
export { userNames } from './user-names.ts';
export { deleteSessions, findUser } from './user-store.ts';
