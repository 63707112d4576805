// Signing in through a provider: the way there, and back to the page that was asked for. What the browser keeps meanwhile
// is in the tab's own storage.

import { say } from '../words/words.ts';
import { assay, type Content } from './assay.ts';
import { history } from './psp-address.ts';

const page = '/console/sign-in/provider';
const place = 'assay.sign-in';

interface Kept {
  readonly provider: string;
  readonly attempt: string;
  readonly to: string;
}

/**
 * Leaves for the provider.
 * @param tab one that was just opened, where this one holds what somebody typed; null if the browser opened none
 */
export async function leaveFor(provider: string, tab: Window | null = window): Promise<void> {
  if (tab === null) throw new Error(say('Your browser opened no tab. Allow this page to open one, and try again.'));
  try {
    const { url, attempt } = await assay.startProviderSignIn({ provider });
    const { pathname, search } = history.location;
    const kept: Kept = { provider, attempt, to: pathname === page ? '/console/' : `${pathname}${search}` };
    tab.sessionStorage.setItem(place, JSON.stringify(kept));
    tab.location.assign(url);
  } catch (error) {
    if (tab !== window) tab.close();
    throw error;
  }
}

let back: Promise<Content<'finishProviderSignIn'>> | undefined;

/** Ends a sign-in if the provider led back here; undefined if it did not. Each answer is sent once. */
export function returned(): Promise<Content<'finishProviderSignIn'>> | undefined {
  const { pathname, search } = history.location;
  if (back === undefined && pathname === page) back = finish(search.replace(/^\?/, ''));
  return back;
}

async function finish(query: string): Promise<Content<'finishProviderSignIn'>> {
  const text = sessionStorage.getItem(place);
  sessionStorage.removeItem(place);
  const kept = text === null ? undefined : (JSON.parse(text) as Kept);
  // The answer does not stay in the address.
  history.replace(kept?.to ?? '/console/');
  if (!kept) throw new Error(say('this sign-in was not started in this tab; sign in again'));
  return assay.finishProviderSignIn({ provider: kept.provider, attempt: kept.attempt, query });
}

/** Forgets an answer that was used or refused. */
export function forgetReturn(): void {
  back = undefined;
}
