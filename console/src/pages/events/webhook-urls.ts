// The URLs of the PSP's webhook addresses by id, as far as the first page of their list has them.
import { useMemo } from 'react';
import { useOp } from '../../data/use-op.ts';

export function useWebhookUrls(): (webhookId: string) => string | undefined {
  const { data } = useOp('listWebhooks', { limit: 200 });
  return useMemo(() => {
    const urls = new Map(data?.items.map((w) => [w.webhookId, w.url]));
    return (webhookId) => urls.get(webhookId);
  }, [data]);
}
