// Error messages for people.
export interface Told {
  readonly code: string;
  readonly sentence: string;
  readonly requestId: string | undefined;
}

/** An API field name as a label: currentPassword becomes “Current password”. */
function inWords(name: string): string {
  const words = name
    .replace(/\[\d+\]/g, '')
    .split('.')
    .map((part) => part.replace(/([a-z\d])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`))
    .join(', ');
  return `“${words.charAt(0).toUpperCase()}${words.slice(1)}”`;
}

const named = /\b(?:the )?(?:query parameters?|fields?|parameter|header) '([\w.[\]-]+)'/gi;

/** What to show for any failure: the service's code and message, or why it could not be reached. */
export function told(error: unknown): Told {
  const e = (error ?? {}) as { code?: unknown; message?: unknown; requestId?: unknown };
  const text = (v: unknown) => (typeof v === 'string' && v !== '' ? v : undefined);
  const message = (text(e.message) ?? 'something went wrong').replace(named, (_, name: string) => inWords(name));
  return {
    code: text(e.code) ?? 'CONSOLE',
    sentence: `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`,
    requestId: text(e.requestId),
  };
}
