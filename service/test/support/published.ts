// Holds every answer of a test's service against openapi.json: whoever builds on the description meets nothing else.
import { components, type Described, differences, paths } from '../client/shape.ts';

/** By method and number of segments; an address without parameters comes before one with. */
const operations = new Map<string, { readonly pattern: RegExp; readonly published: Described }[]>();
for (const [path, methods] of Object.entries(paths).sort(([a], [b]) => a.split('{').length - b.split('{').length))
  for (const [method, published] of Object.entries(methods)) {
    const key = `${method} ${path.split('/').length}`;
    const pattern = new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]*')}$`);
    operations.set(key, [...(operations.get(key) ?? []), { pattern, published }]);
  }

/** The operation that an address is of; undefined for pages, probes, and addresses that nothing has. */
function publishedAt(method: string, address: string): Described | undefined {
  const path = address.replace(/[?#].*$/s, '');
  const key = `${method.toLowerCase()} ${path.split('/').length}`;
  return operations.get(key)?.find(({ pattern }) => pattern.test(path))?.published;
}

/** Codes of what no operation answers by itself: a fault, a request that does not come whole, an address that is none of its own. */
const ofNoOperation: readonly (string | null)[] = ['INTERNAL', 'REQUEST_TIMEOUT', 'METHOD', 'NO_ROUTE'];

/** What of an answer openapi.json does not say, each a sentence. */
export function unpublished(
  method: string,
  address: string,
  answer: { readonly status: number; readonly headers: Headers; readonly body: unknown },
): string[] {
  const published = publishedAt(method, address);
  if (published === undefined) return [];
  const { operationId, responses } = published;
  const code = answer.headers.get('x-error-code');
  if (answer.status !== 200) {
    if (ofNoOperation.includes(code)) return [];
    const own = responses[answer.status];
    const response = own?.$ref === undefined ? own : components.responses[own.$ref.split('/').at(-1) as string];
    const codes = response?.headers?.['x-error-code']?.schema.enum ?? [];
    return code !== null && codes.includes(code) ? [] : [`${operationId} does not say ${answer.status} ${code}`];
  }
  const type = (answer.headers.get('content-type') ?? '').split(';')[0] as string;
  if (responses[200]?.content[type] === undefined) return [`${operationId} does not say that it answers ${type}`];
  if (type !== 'application/json') return [];
  const { content } = (answer.body ?? {}) as { content?: unknown };
  return differences(operationId, content ?? answer.body).map((d) => `${operationId}: ${d}`);
}
