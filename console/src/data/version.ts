// The version of the service this console talks to; asked once.
import { useQuery } from '@tanstack/react-query';

/** The version, or undefined while it is not known. */
export function useVersion(): string | undefined {
  return useQuery({
    queryKey: ['version'],
    queryFn: async ({ signal }) => {
      const answer = (await (await fetch('/health/live', { signal })).json()) as { version: string };
      return answer.version;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  }).data;
}
