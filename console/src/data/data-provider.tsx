// The query cache: data is fresh for 15 seconds, refused calls are not retried, and sign-out clears it.
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PspProvider } from './psp.tsx';
import { isSignedOut, noteEnd, SessionProvider } from './session.tsx';

const onError = (error: Error): void => {
  if (isSignedOut(error)) noteEnd(queries);
};
const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
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
