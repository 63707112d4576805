// The version of the service, fetched once.
import { useQuery } from '@tanstack/react-query';

/** The version, or undefined until it is known. */
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
