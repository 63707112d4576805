// What the operations that send events again share.

export const common = { method: 'POST', tag: 'Webhooks', audience: ['psp', 'client'] } as const;
