// JSON as the generated files hold it: one line for each entry of the inner objects, so that the file stays small and a
// change of one operation or one schema is a change of one line.

/** @param depth how many levels of objects have a line for each member */
export const jsonText = (value: object, depth: number): string => `${written(value, '', depth)}\n`;

function written(value: unknown, indent: string, depth: number): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === 0) return JSON.stringify(value);
  const lines = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .map(([key, v]) => `${indent} ${JSON.stringify(key)}: ${written(v, `${indent} `, depth - 1)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
