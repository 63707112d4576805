// Asks the browser for passkeys. What it answers is checked by the service.

import type { Input } from '@assay/client';
import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { say } from '../words/words.ts';
import { assay } from './assay.ts';

export const mayUsePasskeys = (): boolean => browserSupportsWebAuthn();

type MakeOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];
type UseOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Whether a person closed the browser's dialog, or let it run out. */
const isCancelled = (error: unknown): boolean => {
  const { name, cause } = (error ?? {}) as { name?: string; cause?: unknown };
  return name === 'NotAllowedError' || name === 'AbortError' || (cause !== undefined && isCancelled(cause));
};

const inWords = (error: unknown): unknown =>
  isCancelled(error)
    ? new Error(say('no passkey was used: the dialog was closed, or this device has none for this address'))
    : error;

/** Has the device make a passkey. @throws an error with a sentence for the person */
export async function makePasskey(): Promise<Input<'addPasskey'>['passkey']> {
  const { options } = await assay.startPasskey({});
  try {
    return await startRegistration({ optionsJSON: options as unknown as MakeOptions });
  } catch (error) {
    throw inWords(error);
  }
}

/** Has the device answer with a passkey. @throws an error with a sentence for the person */
export async function answerByPasskey(): Promise<Input<'signInWithPasskey'>['passkey']> {
  const { options } = await assay.startPasskeySignIn({});
  try {
    return await startAuthentication({ optionsJSON: options as unknown as UseOptions });
  } catch (error) {
    throw inWords(error);
  }
}
