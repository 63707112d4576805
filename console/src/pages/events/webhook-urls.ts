// The URLs of the PSP's webhook addresses by id, as far as the reader may see them.
import { useMemo } from 'react';
import { useAll } from '../../data/use-op.ts';

export function useWebhookUrls(): (webhookId: string) => string | undefined {
  const all = useAll('listWebhooks', {});
  return useMemo(() => {
    const urls = new Map(all?.map((w) => [w.webhookId, w.url]));
    return (webhookId) => urls.get(webhookId);
  }, [all]);
}
