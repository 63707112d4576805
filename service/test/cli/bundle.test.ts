// The bundle of the sources runs as they do, and never in place of others than those it was made of.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clean } from './run.ts';

const run = promisify(execFile);
const service = join(import.meta.dirname, '..', '..');
const bin = (file: string) => join(service, 'bin', file);

/** Plain JavaScript, as any Node must understand it. */
interface Bundled {
  readonly root: string;
  readonly entries: Readonly<Record<string, string>>;
  readonly listFile: string;
  digestOf(files: readonly string[]): string;
  bundleOf(file: string, folder: string, environment?: Record<string, string | undefined>): string | undefined;
}
const { root, entries, listFile, digestOf, bundleOf }: Bundled = await import(pathToFileURL(bin('bundled.js')).href);

/** Beside the real one, since what is bundled finds packages and data from there. */
const folder = join(service, `dist-test-${process.pid}`);
const list = () => JSON.parse(readFileSync(join(folder, listFile), 'utf8')) as { digest: string; files: string[] };

beforeAll(() => run(process.execPath, [bin('bundle.js'), folder], { env: clean({}) }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the bundle', () => {
  it('has every source that a process or thread begins with, and knows what it is made of', () => {
    for (const source of Object.keys(entries)) {
      const path = bundleOf(source, folder);
      expect(path, source).toBeDefined();
      expect(existsSync(path as string), source).toBe(true);
    }
    const { files } = list();
    expect(files).toEqual(
      expect.arrayContaining(['service/src/main.ts', 'service/src/platform/committer.ts', 'service/demo/demo.ts']),
    );
    expect(files).toContain('node_modules/fastify/package.json');
    expect(files.filter((file) => file.includes('.test.'))).toEqual([]);
  });

  it('says what the sources say', async () => {
    const said = async (file: string, ...words: string[]) => {
      const { stdout, stderr } = await run(process.execPath, [file, ...words], { env: clean({}) });
      return { stdout, stderr };
    };
    const source = join(service, 'src/adapters/cli/main.ts');
    for (const words of [['--help'], ['tax', 'check'], ['--version']])
      expect(await said(join(folder, 'assay.js'), ...words), words.join(' ')).toEqual(await said(source, ...words));
  });

  it('validates XML in a thread of its own', async () => {
    const text = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a" type="xs:int"/></xs:schema>`;
    const workerData = { files: [{ name: 'a.xsd', text }], main: 'a.xsd' };
    const thread = new Worker(join(folder, 'xsd-thread.js'), { workerData });
    const verdictOn = async (text: string) => {
      const answered = once(thread, 'message');
      thread.postMessage({ id: 1, text });
      return ((await answered)[0] as { problems: string[] }).problems;
    };
    expect(await verdictOn('<a>1</a>')).toEqual([]);
    expect(await verdictOn('<a>x</a>')).toEqual([expect.stringContaining("'x' is not a valid value")]);
    await thread.terminate();
  });
});

describe('a bundle of other sources', () => {
  let other: string;
  let source: string;
  beforeAll(() => {
    other = mkdtempSync(join(tmpdir(), 'assay-bundle-'));
    source = join(other, 'a.ts');
    writeFileSync(source, 'export const a = 1;\n');
    mkdirSync(join(other, 'dist'));
    const files = [relative(root, source)];
    writeFileSync(join(other, 'dist', listFile), JSON.stringify({ digest: digestOf(files), files }));
  });
  afterAll(() => rmSync(other, { recursive: true, force: true }));

  it('is not run once a source has changed or is gone, nor where none was built', () => {
    const dist = join(other, 'dist');
    expect(bundleOf('main.ts', dist)).toBe(join(dist, 'service.js'));
    writeFileSync(source, 'export const a = 2;\n');
    expect(bundleOf('main.ts', dist)).toBeUndefined();
    writeFileSync(source, 'export const a = 1;\n');
    expect(bundleOf('main.ts', dist)).toBeDefined();
    rmSync(source);
    expect(bundleOf('main.ts', dist)).toBeUndefined();
    expect(bundleOf('main.ts', join(other, 'none'))).toBeUndefined();
    // Nor was it found unchanged by whoever is not the process that started this one, or found another bundle so.
    const { digest } = JSON.parse(readFileSync(join(dist, listFile), 'utf8')) as { digest: string };
    for (const ASSAY_BUNDLE of [`${process.pid} ${digest}`, `${process.ppid} ${'0'.repeat(64)}`, digest, ''])
      expect(bundleOf('main.ts', dist, { ASSAY_BUNDLE }), ASSAY_BUNDLE).toBeUndefined();
    // A source that is not among those that are bundled is run as it is.
    expect(bundleOf('../tools/reference/generate.ts', folder)).toBeUndefined();
  });

  it('is checked once for a process and those that it starts', async () => {
    const dist = join(other, 'dist');
    writeFileSync(source, 'export const a = 1;\n');
    const environment: Record<string, string | undefined> = {};
    expect(bundleOf('main.ts', dist, environment)).toBe(join(dist, 'service.js'));
    rmSync(source);
    const asked = `import { bundleOf } from ${JSON.stringify(pathToFileURL(bin('bundled.js')).href)};
      console.log(bundleOf('main.ts', ${JSON.stringify(dist)}, process.env));`;
    const child = (env: object) =>
      run(process.execPath, ['--input-type=module', '-e', asked], { env: clean(env as Record<string, string>) });
    expect((await child(environment)).stdout.trim()).toBe(join(dist, 'service.js'));
    expect((await child({})).stdout.trim()).toBe('undefined');
  });
});
