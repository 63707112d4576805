// The operations on people and their sessions; operations.ts has them all.
import { addPasskey } from '../../modules/users/operations/add-passkey.ts';
import { changePassword } from '../../modules/users/operations/change-password.ts';
import { completeSignIn } from '../../modules/users/operations/complete-sign-in.ts';
import { confirmCodes } from '../../modules/users/operations/confirm-codes.ts';
import { createUser } from '../../modules/users/operations/create-user.ts';
import { disableUser } from '../../modules/users/operations/disable-user.ts';
import { enableUser } from '../../modules/users/operations/enable-user.ts';
import { endOtherSessions } from '../../modules/users/operations/end-other-sessions.ts';
import { endOwnSession } from '../../modules/users/operations/end-own-session.ts';
import { endUserSessions } from '../../modules/users/operations/end-user-sessions.ts';
import { finishProviderSignIn } from '../../modules/users/operations/finish-provider-sign-in.ts';
import { getSecondFactors } from '../../modules/users/operations/get-second-factors.ts';
import { getSession } from '../../modules/users/operations/get-session.ts';
import { listOwnSessions } from '../../modules/users/operations/list-own-sessions.ts';
import { listSignInProviders } from '../../modules/users/operations/list-sign-in-providers.ts';
import { listUserSessions } from '../../modules/users/operations/list-user-sessions.ts';
import { listUsers } from '../../modules/users/operations/list-users.ts';
import { removeCodes } from '../../modules/users/operations/remove-codes.ts';
import { removePasskey } from '../../modules/users/operations/remove-passkey.ts';
import { renamePasskey } from '../../modules/users/operations/rename-passkey.ts';
import { renewRecoveryCodes } from '../../modules/users/operations/renew-recovery-codes.ts';
import { resetPassword } from '../../modules/users/operations/reset-password.ts';
import { resetSecondFactor } from '../../modules/users/operations/reset-second-factor.ts';
import { setUserRole } from '../../modules/users/operations/set-user-role.ts';
import { signIn } from '../../modules/users/operations/sign-in.ts';
import { signInWithPasskey } from '../../modules/users/operations/sign-in-with-passkey.ts';
import { signOut } from '../../modules/users/operations/sign-out.ts';
import { startCodes } from '../../modules/users/operations/start-codes.ts';
import { startPasskey } from '../../modules/users/operations/start-passkey.ts';
import { startPasskeySignIn } from '../../modules/users/operations/start-passkey-sign-in.ts';
import { startProviderSignIn } from '../../modules/users/operations/start-provider-sign-in.ts';

export const peopleOperations = [
  signIn,
  completeSignIn,
  getSession,
  signOut,
  changePassword,
  getSecondFactors,
  startCodes,
  confirmCodes,
  removeCodes,
  renewRecoveryCodes,
  startPasskeySignIn,
  signInWithPasskey,
  startPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  listSignInProviders,
  startProviderSignIn,
  finishProviderSignIn,
  listOwnSessions,
  endOwnSession,
  endOtherSessions,
  listUsers,
  createUser,
  disableUser,
  enableUser,
  setUserRole,
  resetPassword,
  resetSecondFactor,
  listUserSessions,
  endUserSessions,
];
