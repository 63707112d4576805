// An operation as it is called in five languages. Requests and replies are those of the OpenAPI description, so that no
// other form of them is kept; where operations share the form of a reply, it has the values of the request shown.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Description, type OperationRow, parametersOf, replyOf } from './description.ts';

export interface Example {
  readonly operation: string;
  readonly summary: string;
  readonly method: string;
  /** With the values of its parameters. */
  readonly path: string;
  /** The body; undefined if it has none. */
  readonly body: object | undefined;
  readonly query: Readonly<Record<string, string>>;
  /** The values in the path. */
  readonly inPath: Readonly<Record<string, string>>;
  /** The content of the reply; undefined if none is described. */
  readonly reply: unknown;
}

/** Queries that the caller has from an earlier reply, and those that are required. */
const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  verifyTransactionStatus: { transactionId: 'txn_01h455vb4pex5vsknk084sn02q' },
};

/** What the reply to an operation's example has in place of the values in the shared one; a test compares them. */
const replies = JSON.parse(readFileSync(join(import.meta.dirname, 'replies.json'), 'utf8')) as Readonly<
  Record<string, object>
>;

const inPathOf = (path: string): Record<string, string> =>
  Object.fromEntries([...path.matchAll(/\{(\w{1,40})\}/g)].map(([, name = '']) => [name, placeholder(name)]));

/** A value that says what belongs in its place. */
const placeholder = (name: string): string => name.replaceAll(/([A-Z])/g, '_$1').toUpperCase();

export function exampleOf(d: Description, { path, method, o }: OperationRow): Example {
  const inPath = inPathOf(path);
  const query = Object.fromEntries(
    parametersOf(d, o)
      .filter((p) => p.in === 'query' && p.required)
      .map((p) => [p.name, placeholder(p.name)]),
  );
  const reply = replyOf(o, d.components.schemas);
  const own = Object.hasOwn(replies, o.operationId) ? replies[o.operationId] : undefined;
  return {
    ...{ operation: o.operationId, summary: o.summary, method, inPath },
    path: path.replace(/\{(\w{1,40})\}/g, (_all, name: string) => inPath[name] ?? name),
    body: o.requestBody?.content['application/json']?.example,
    query: queries[o.operationId] ?? query,
    reply: own === undefined ? reply : { ...(reply as object), ...own },
  };
}

export const json = (value: unknown, indent = ''): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);
const queryOf = ({ query }: Example): string => (Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '');

type Language = 'ts' | 'python' | 'java' | 'php';

/** What comes before the first call, and how its reply is shown (in place of %), by language. */
export const languages = JSON.parse(readFileSync(join(import.meta.dirname, 'languages.json'), 'utf8')) as Readonly<
  Record<Language, { readonly begin: string; readonly show: string }>
>;

const shown = (language: Language, call: string): string => languages[language].show.replace('%', () => call);

/** What a client library is given: all values in one. */
const given = (e: Example): object => ({ ...e.inPath, ...(e.body ?? e.query) });

function inCurl(e: Example): string {
  const how = e.method === (e.body === undefined ? 'GET' : 'POST') ? '' : ` -X ${e.method}`;
  return e.body === undefined
    ? `curl -s${how} "$ASSAY${e.path}${queryOf(e)}" -H "x-api-key: $KEY"`
    : `curl -s${how} $ASSAY${e.path} -H "x-api-key: $KEY" -H 'content-type: application/json' -d '${json(e.body)}'`;
}

function inTypeScript(e: Example): string {
  const input = json(given(e))
    .replaceAll(/^( {0,40})"([A-Za-z_]\w{0,60})":/gm, '$1$2:')
    .replaceAll('"', "'");
  return shown('ts', `await assay.${e.operation}(${input === '{}' ? '' : input})`);
}

const snake = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();

function python(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : `Decimal("${value}")`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([k, v]) => `${JSON.stringify(k)}: ${python(v)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}

function inPython(e: Example): string {
  const rows = Object.entries(given(e)).map(([k, v]) => `    ${k}=${python(v)},\n`);
  return shown('python', `assay.${snake(e.operation)}(${rows.length > 0 ? `\n${rows.join('')}` : ''})`);
}

function inJava(e: Example): string {
  const path = JSON.stringify(`${e.path}${queryOf(e)}`);
  const none = e.method === 'GET' ? 'GET()' : `method("${e.method}", BodyPublishers.noBody())`;
  const rest = e.body === undefined ? none : `POST(BodyPublishers.ofString("""\n    ${json(e.body, '    ')}"""))`;
  return shown('java', `http.send(to(${path}).${rest}.build(), BodyHandlers.ofString()).body()`);
}

const inPhp = (e: Example): string =>
  shown(
    'php',
    e.body === undefined
      ? `assay('${e.method}', '${e.path}${queryOf(e)}')`
      : `assay('${e.method}', '${e.path}', <<<'JSON'\n  ${json(e.body, '  ')}\n  JSON)`,
  );

/** Each with the name by which Markdown knows the language. */
export const callsOf = (e: Example): readonly (readonly [string, string])[] => [
  ['sh', inCurl(e)],
  ['ts', inTypeScript(e)],
  ['python', inPython(e)],
  ['java', inJava(e)],
  ['php', inPhp(e)],
];
