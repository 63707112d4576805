// The page of examples: each operation of the specification as it is called in five languages, and what it answers.
// Requests and replies are those of the OpenAPI description, so that no other form of them is kept.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { code, generated } from './markdown.ts';

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly examples?: readonly unknown[];
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Example {
  readonly operation: string;
  readonly summary: string;
  readonly path: string;
  /** The body; undefined if it has none. */
  readonly body: object | undefined;
  readonly query: Readonly<Record<string, string>>;
  /** The content of the reply; undefined if none is described. */
  readonly reply: unknown;
}

/** A query in place of those that a caller has from an earlier reply. */
const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  verifyTransactionStatus: { transactionId: 'txn_01h455vb4pex5vsknk084sn02q' },
};

/** The operations whose address ends in their name: those of the specification. */
const examplesOf = ({ paths, components }: Description): Example[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods)
      .filter((o) => path.endsWith(`/${o.operationId}`))
      .map((o) => ({
        ...{ operation: o.operationId, summary: o.summary, path },
        body: o.requestBody?.content['application/json']?.example,
        query: queries[o.operationId] ?? {},
        reply: replyOf(o, components.schemas),
      })),
  );

function replyOf(o: Described, schemas: Description['components']['schemas']): unknown {
  const [, own] = o.responses[200]?.content?.['application/json']?.schema.allOf ?? [];
  let name = nameIn(own?.properties?.content);
  // A record with the parts of `expand` is, without them, the record.
  while (name !== undefined && schemas[name]?.examples === undefined) name = nameIn(schemas[name]?.allOf?.[0]);
  return name === undefined ? undefined : schemas[name]?.examples?.[0];
}

const nameIn = (s: Schema | undefined): string | undefined => s?.$ref?.split('/').at(-1);

const json = (value: unknown, indent = '') => JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);
const queryOf = ({ query }: Example) => (Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '');

/** What comes before the first call, and how its reply is shown (in place of %), by language. */
const languages = JSON.parse(readFileSync(join(import.meta.dirname, 'languages.json'), 'utf8')) as Readonly<
  Record<'ts' | 'python' | 'java' | 'php', { readonly begin: string; readonly show: string }>
>;

const shown = (language: keyof typeof languages, call: string) => languages[language].show.replace('%', () => call);

const inCurl = (e: Example): string =>
  e.body === undefined
    ? `curl -s "$ASSAY${e.path}${queryOf(e)}" -H "x-api-key: $KEY"`
    : `curl -s $ASSAY${e.path} -H "x-api-key: $KEY" -H 'content-type: application/json' -d '${json(e.body)}'`;

const given = (e: Example): object => e.body ?? e.query;

const inTypeScript = (e: Example): string => {
  const input = json(given(e))
    .replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replaceAll('"', "'");
  return shown('ts', `await assay.${e.operation}(${input === '{}' ? '' : input})`);
};

const snake = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
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

const inPython = (e: Example): string => {
  const rows = Object.entries(given(e)).map(([k, v]) => `    ${k}=${python(v)},\n`);
  return shown('python', `assay.${snake(e.operation)}(${rows.length > 0 ? `\n${rows.join('')}` : ''})`);
};

const inJava = (e: Example): string => {
  const path = JSON.stringify(`${e.path}${queryOf(e)}`);
  const rest = e.body === undefined ? 'GET()' : `POST(BodyPublishers.ofString("""\n    ${json(e.body, '    ')}"""))`;
  return shown('java', `http.send(to(${path}).${rest}.build(), BodyHandlers.ofString()).body()`);
};

const inPhp = (e: Example): string =>
  shown(
    'php',
    e.body === undefined
      ? `assay('GET', '${e.path}${queryOf(e)}')`
      : `assay('POST', '${e.path}', <<<'JSON'\n  ${json(e.body, '  ')}\n  JSON)`,
  );

const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

export function examplesPage(description: object): string {
  const examples = examplesOf(description as Description);
  const begun = Object.entries(languages).map(([language, { begin }]) => block(language, begin));
  const sections = examples.flatMap((e) => [
    `## ${e.operation}`,
    `${e.summary}. ${code(`${e.body === undefined ? 'GET' : 'POST'} ${e.path}`)}`,
    block('sh', inCurl(e)),
    block('ts', inTypeScript(e)),
    block('python', inPython(e)),
    block('java', inJava(e)),
    block('php', inPhp(e)),
    ...(e.reply === undefined ? [] : ['The `content` of the reply:', block('json', json(e.reply))]),
  ]);
  return `${[
    generated,
    '# Examples',
    'Each operation of the specification in curl, TypeScript, Python, Java and PHP, and what it answers. `ASSAY` is the address of the service, `KEY` the key of a PSP or client. A test runs those in curl, TypeScript and Python. For Java it is a script for `jshell`. The other operations are called the same way: [operations](operations.md).',
    'What comes before the first call:',
    ...begun,
    ...sections,
  ].join('\n\n')}\n`;
}
