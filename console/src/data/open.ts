// Maps the API paths that reports and totals return to console paths showing the rows behind a figure.

interface Place {
  readonly api: RegExp;
  /** Builds the console path from what the expression matched. */
  readonly to: (id: string) => string;
}

const places: readonly Place[] = [
  { api: /^\/v1\/transaction$/, to: () => '/transactions' },
  { api: /^\/v1\/transaction\/([^/]+)$/, to: (id) => `/transactions/${id}` },
  { api: /^\/v1\/basket$/, to: () => '/baskets' },
  { api: /^\/v1\/basket\/([^/]+)$/, to: (id) => `/baskets/${id}` },
  { api: /^\/v1\/wager$/, to: () => '/gaming' },
  { api: /^\/v1\/wager\/([^/]+)$/, to: (id) => `/gaming/wagers/${id}` },
  { api: /^\/v1\/payout$/, to: () => '/gaming/payouts' },
  { api: /^\/v1\/payout\/([^/]+)$/, to: (id) => `/gaming/payouts/${id}` },
  { api: /^\/v1\/client\/([^/]+)$/, to: (id) => `/clients/${id}` },
  { api: /^\/v1\/telecom\/file\/([^/]+)$/, to: (id) => `/cdr/files/${id}` },
  { api: /^\/v1\/telecom\/cdr$/, to: () => '/cdr/records' },
  { api: /^\/v1\/telecom\/cdr\/([^/]+)$/, to: (id) => `/cdr/records/${id}` },
  { api: /^\/v1\/telecom\/analysis$/, to: () => '/cdr/analysis' },
  { api: /^\/v1\/telecom\/analysis\/records$/, to: () => '/cdr/analysis/records' },
  { api: /^\/v1\/telecom\/declaration$/, to: () => '/cdr/declarations' },
  { api: /^\/v1\/telecom\/declaration\/([^/]+)$/, to: (id) => `/cdr/declarations/${id}` },
  { api: /^\/v1\/settlement\/outstanding$/, to: () => '/settlement/outstanding' },
  { api: /^\/v1\/report\/([^/]+)$/, to: (id) => `/reports/${id}` },
];

/** The console path for an API path, filters included; undefined if there is none. */
export function consolePath(apiPath: string | null | undefined): string | undefined {
  if (!apiPath) return undefined;
  const [path = '', query = ''] = apiPath.split('?');
  for (const { api, to } of places) {
    const found = api.exec(path);
    if (found) return `${to(found[1] ?? '')}${query ? `?${query}` : ''}`;
  }
  return undefined;
}
