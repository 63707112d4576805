// Makes text from others safe to display: characters that steer a screen are written out, as [U+202E]. The service
// rejects them in names and refs, but older records may contain some.

/** Control characters except line breaks and tabs, line separators, and characters that change text direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const steering = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

const writtenOut = (c: string) => `[U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`;

/** The value with every text in it made safe; the same value if nothing had to change. */
export function shownText<T>(value: T): T {
  if (typeof value === 'string') return value.replace(steering, writtenOut) as T;
  if (value === null || typeof value !== 'object') return value;
  let changed = false;
  const entries = Object.entries(value).map(([name, v]): [string, unknown] => {
    const [plainName, plain] = [shownText(name), shownText(v)];
    changed ||= plain !== v || plainName !== name;
    return [plainName, plain];
  });
  if (!changed) return value;
  return (Array.isArray(value) ? entries.map(([, v]) => v) : Object.fromEntries(entries)) as T;
}
