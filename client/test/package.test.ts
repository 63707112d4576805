// What is published, packed and installed as users have it: without this repository, without TypeScript and without a
// network, on the oldest Node that is promised where the machine has one.
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
let dir: string;
/** An empty project that the package is installed in. */
let project: string;
let built: string;

const run = async (command: string, args: readonly string[], cwd: string): Promise<string> => {
  const { HOME: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(command, args, {
    cwd,
    env: {
      ...env,
      HOME: dir,
      npm_config_cache: join(dir, 'cache'),
      npm_config_offline: 'true',
      NODE_ENV: 'production',
    },
    maxBuffer: 64 << 20,
    shell: process.platform === 'win32',
  });
  return stdout;
};

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'assay-client-'));
  // A copy: packing changes package.json for a moment, and other tests load the client from where it is.
  const copy = join(dir, 'client');
  mkdirSync(copy);
  for (const name of ['src', 'test', 'generate', 'build.js', 'package.json', 'README.md', 'tsconfig.build.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  cpSync(join(root, '../tsconfig.json'), join(dir, 'tsconfig.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const before = readFileSync(join(copy, 'package.json'), 'utf8');
  await run('npm', ['run', 'tarball', '--', '--pack-destination', dir], copy);
  expect(readFileSync(join(copy, 'package.json'), 'utf8')).toBe(before);
  const [tarball] = readdirSync(dir).filter((f) => f.endsWith('.tgz'));
  project = join(dir, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--no-audit', '--no-fund', join(dir, tarball as string)], project);
  built = join(project, 'node_modules', '@assay', 'client');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The machine's own Node, which need not know TypeScript, and the one that runs this. */
function nodes(): string[] {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const folders = (process.env.PATH ?? '').split(delimiter).filter((f) => f !== '' && !f.includes('node_modules'));
  const own = folders.map((f) => join(f, name)).find((f) => existsSync(f));
  return own === undefined ? [process.execPath] : [own, process.execPath];
}

const program = (load: string) => `
  ${load}
  const assay = new Assay({ baseUrl: process.argv[2], apiKey: 'k', amounts: 'text' });
  const [v] = JSON.parse(process.argv[3]).vectors;
  (async () => {
    const reply = await assay.verifyTransaction({ ref: 'r', totalAmount: '0.10' });
    const now = () => v.timestamp * 1000;
    const event = await verifyWebhook({ body: v.body, headers: v.headers, secret: v.secrets.current, now });
    console.log(JSON.stringify({ reply, type: event.type }));
  })();
`;

/** Runs a program in the project against a service that answers with an exact amount. */
async function works(node: string, file: string): Promise<void> {
  const vectors = readFileSync(join(root, '../docs/reference/webhook-vectors.json'), 'utf8');
  let asked = '';
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      asked += chunk;
    });
    request.on('end', () =>
      response.end('{"success":true,"message":"","content":{"vatAmount":123456789012345678.10}}'),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const { stdout } = await promisify(execFile)(node, [file, url, vectors], { cwd: project });
    expect(JSON.parse(stdout)).toMatchObject({
      reply: { vatAmount: '123456789012345678.10' },
      type: 'transaction.created',
    });
    expect(asked).toBe('{"ref":"r","totalAmount":0.10}');
  } finally {
    server.close();
  }
}

describe('the package', () => {
  it('holds JavaScript and declarations that need nothing else, and no tests, generators or sources', () => {
    const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((f) => /\.\w+$/.test(f));
    expect(
      files.filter((f) => !/^(dist[\\/](esm|cjs)[\\/].+\.(js|d\.ts)|.*package\.json|README\.md)$/.test(f)),
    ).toEqual([]);
    const imported = files
      .filter((f) => f.endsWith('.js'))
      .flatMap((f) =>
        [...readFileSync(join(built, f), 'utf8').matchAll(/(?:from |require\()["']([^"']+)["']/g)].map(
          (m) => m[1] as string,
        ),
      );
    expect(imported.length).toBeGreaterThan(10);
    expect(imported.filter((name) => !/^\.{1,2}\/.+\.js$/.test(name))).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
    expect(Object.keys(manifest).filter((k) => /dependencies|private/i.test(k))).toEqual([]);
  });

  it('works where TypeScript is not understood, by import: calls, exact amounts, webhooks', async () => {
    writeFileSync(join(project, 'program.mjs'), program("import { Assay, verifyWebhook } from '@assay/client';"));
    for (const node of nodes()) await works(node, 'program.mjs');
  });

  it('works by require', async () => {
    writeFileSync(join(project, 'program.cjs'), program("const { Assay, verifyWebhook } = require('@assay/client');"));
    for (const node of nodes()) await works(node, 'program.cjs');
  });

  it('works in a bundle', async () => {
    writeFileSync(join(project, 'entry.mjs'), program("import { Assay, verifyWebhook } from '@assay/client';"));
    const options =
      "{ build: { lib: { entry: 'entry.mjs', formats: ['es'], fileName: () => 'bundle.mjs' }, outDir: 'out' } }";
    writeFileSync(join(project, 'vite.config.mjs'), `export default ${options};`);
    const vite = createRequire(join(root, '../console/package.json')).resolve('vite/package.json');
    await run(process.execPath, [join(dirname(vite), 'bin/vite.js'), 'build', '--logLevel', 'warn'], project);
    expect(readFileSync(join(project, 'out/bundle.mjs'), 'utf8')).not.toMatch(/(from|import|require\() ?["']@assay/);
    await works(process.execPath, 'out/bundle.mjs');
  });

  it('types what each operation takes, for import and for require', async () => {
    writeFileSync(join(project, 'types.mts'), typesProgram());
    writeFileSync(
      join(project, 'types.cts'),
      `import { Assay, type Input } from '@assay/client';
       export const assay = new Assay({ baseUrl: '' });
       export const filters: Input<'listTransactions'> = { status: 'DECLINED' };`,
    );
    const tsc = createRequire(join(root, 'package.json')).resolve('typescript/bin/tsc');
    // The package's declarations are checked, those of the language are not.
    const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
    options.push('--skipDefaultLibCheck');
    const said = await run(
      process.execPath,
      [tsc, ...options, '--module', 'node16', 'types.mts', 'types.cts'],
      project,
    ).catch((e: { stdout: string }) => e.stdout);
    expect(said).toBe('');
  });
});

interface Parameter {
  /** To a parameter that operations share. */
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: { readonly type?: string; readonly enum?: readonly string[] };
}
interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
}

const example = ({ schema }: Parameter) =>
  schema.enum ? JSON.stringify(schema.enum[0]) : schema.type === 'integer' ? '1' : "'x'";
const literal = (parameters: readonly Parameter[], more = '') =>
  `{ ${[...parameters.map((p) => `${p.name}: ${example(p)}`), more].filter(Boolean).join(', ')} }`;

/** Each line after an expected error must not compile; every other one must. */
function typesProgram(): string {
  const { paths, components } = JSON.parse(readFileSync(join(root, '../openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, Described>>;
    components: { parameters: Record<string, Parameter> };
  };
  const reads = Object.values(paths).flatMap((methods) => (methods.get ? [methods.get] : []));
  expect(reads.length).toBeGreaterThan(50);
  const lines = reads.flatMap(({ operationId: id, parameters = [] }, i) => {
    const own = parameters.map((p) => components.parameters[p.$ref?.split('/').at(-1) ?? ''] ?? p);
    const given = own.filter((p) => p.in === 'path' || p.in === 'query');
    const needed = given.filter((p) => p.required === true);
    return [
      `export const all${i}: Input<'${id}'> = ${literal(given)};`,
      `export const least${i}: Input<'${id}'> = ${literal(needed)};`,
      `export const call${i} = () => assay.${id}(${literal(given)});`,
      '// @ts-expect-error no number',
      `export const number${i}: Input<'${id}'> = 42;`,
      '// @ts-expect-error no filter of another name',
      `export const misspelt${i}: Input<'${id}'> = ${literal(needed, "noSuchFilter: 'x'")};`,
    ];
  });
  return [
    "import { Assay, type Client, type Decision, type Input, type Transaction } from '@assay/client';",
    "const assay = new Assay({ baseUrl: '' });",
    ...lines,
    "export const page = () => assay.pages('listTransactions', { status: 'DECLINED' });",
    '// @ts-expect-error a misspelt filter would list everything',
    "export const wrong = () => assay.pages('listTransactions', { statu: 'DECLINED' });",
    "export const deliveries = () => assay.listDeliveries({ webhookId: 'x', state: 'pending' });",
    "const exact = new Assay({ baseUrl: '', amounts: 'text' });",
    "export const asNumber: () => Promise<Transaction> = () => assay.getTransaction({ transactionId: 'x' });",
    "export const asText: () => Promise<Transaction<string>> = () => exact.getTransaction({ transactionId: 'x' });",
    '// @ts-expect-error its amounts are text',
    "export const mixed: () => Promise<Transaction> = () => exact.getTransaction({ transactionId: 'x' });",
    'export const merchant = (d: Decision): number => d.merchantAmount;',
    "export const client: () => Promise<Client> = () => assay.getClient({ clientId: 'x' });",
    'export const none = () => assay.listTransactions();',
    '// @ts-expect-error the id is needed',
    'export const idless = () => assay.getTransaction({});',
    "export const maybe = (status: 'DECLINED' | undefined) => assay.listTransactions({ status });",
    '',
  ].join('\n');
}
