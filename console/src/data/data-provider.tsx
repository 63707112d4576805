// Holds what was read: fresh for a quarter of a minute, not asked again after a no, and given up with the session.
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PspProvider } from './psp.tsx';
import { isSignedOut, SessionProvider, sessionKey } from './session.tsx';

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (isSignedOut(error)) queries.setQueryData(sessionKey, null);
    },
  }),
  defaultOptions: { queries: { staleTime: 15_000, retry: false, refetchOnWindowFocus: true } },
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
