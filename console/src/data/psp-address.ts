// The PSP in the address: /console/p/psp_…/transactions. Pages and links are written without it; the router takes it off
// when it reads an address and puts it on when it writes one, so that an address can be sent to somebody else.
import { createBrowserHistory } from '@tanstack/react-router';

export const history = createBrowserHistory();

const root = '/console';
const named = /^\/p\/(psp_[0-9a-z]+)(?=\/|$)/;
const below = (pathname: string): string => (pathname.startsWith(root) ? pathname.slice(root.length) : pathname);

/** The PSP that the address names. */
export const pspInAddress = (): string | undefined => named.exec(below(history.location.pathname))?.[1];

/** A page of a PSP, to link to where another one is looked at. @param path below /console */
export const pageOf = (pspId: string, path: string): string => `/p/${pspId}${path}`;

/** Goes to the same page of another PSP, or of none. */
export function goToPsp(pspId: string | undefined, how: 'push' | 'replace'): void {
  const { pathname, search, hash } = history.location;
  const page = below(pathname).replace(named, '') || '/';
  const path = pspId ? pageOf(pspId, page === '/' ? '' : page) : page;
  history[how](`${root}${path}${search}${hash}`);
}

/** For the router. An address that names a PSP itself keeps it. */
export const rewrite = {
  input({ url }: { url: URL }): URL {
    url.pathname = url.pathname.replace(named, '') || '/';
    return url;
  },
  output({ url }: { url: URL }): URL {
    const pspId = pspInAddress();
    if (pspId && !named.test(url.pathname)) url.pathname = pageOf(pspId, url.pathname === '/' ? '' : url.pathname);
    return url;
  },
};
