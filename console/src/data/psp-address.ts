// The PSP and the time zone in the URL: /console/p/psp_…/transactions. Pages and links are written without it; the router strips it when
// it reads a URL and adds it when it writes one, so that a URL can be shared; a time zone goes with every link.
import { createBrowserHistory } from '@tanstack/react-router';
import { utc } from './zone.ts';

export const history = createBrowserHistory();

const root = '/console';
const named = /^\/p\/(psp_[0-9a-z]+)(?=\/|$)/;
const below = (pathname: string): string => (pathname.startsWith(root) ? pathname.slice(root.length) : pathname);

/** The PSP in the URL. */
export const pspInAddress = (): string | undefined => named.exec(below(history.location.pathname))?.[1];

/** The time zone that the URL names; a page that it leads to has the same. */
const zoneInAddress = (): string | null => new URLSearchParams(history.location.search).get('zone');

/** URL of a page for another PSP than the current one. @param path below /console */
export const pageOf = (pspId: string, path: string): string => `/p/${pspId}${path}`;

/** Goes to the same page of another PSP, or of all PSPs. */
export function goToPsp(pspId: string | undefined, how: 'push' | 'replace'): void {
  const { pathname, search, hash } = history.location;
  const page = below(pathname).replace(named, '') || '/';
  const path = pspId ? pageOf(pspId, page === '/' ? '' : page) : page;
  history[how](`${root}${path}${search}${hash}`);
}

/** For the router. A URL that names a PSP itself keeps it. */
export const rewrite = {
  input({ url }: { url: URL }): URL {
    url.pathname = url.pathname.replace(named, '') || '/';
    return url;
  },
  output({ url }: { url: URL }): URL {
    const pspId = pspInAddress();
    if (pspId && !named.test(url.pathname)) url.pathname = pageOf(pspId, url.pathname === '/' ? '' : url.pathname);
    const zone = zoneInAddress();
    if (url.searchParams.get('zone') === utc) url.searchParams.delete('zone');
    else if (zone && !url.searchParams.has('zone')) url.searchParams.set('zone', zone);
    return url;
  },
};
