// The query cache: data is fresh for 15 seconds, refused calls are not retried, and sign-out clears it.
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PspProvider } from './psp.tsx';
import { isSignedOut, noteEnd, SessionProvider } from './session.tsx';

const onError = (error: Error): void => {
  if (isSignedOut(error)) noteEnd(queries);
};
/** Without a network, calls fail: one that waited for it would be made when nobody expects it any more. */
const always = { networkMode: 'always' } as const;
const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { ...always, staleTime: 15_000, retry: false, refetchOnWindowFocus: true, refetchOnReconnect: true },
    mutations: always,
  },
});

export function DataProvider({ children }: { readonly children: ReactNode }) {
  return (
    <QueryClientProvider client={queries}>
      <SessionProvider>
        <PspProvider>{children}</PspProvider>
      </SessionProvider>
    </QueryClientProvider>
  );
}
