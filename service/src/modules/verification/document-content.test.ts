// Content of the largest size is read in any process, also in one where V8 no longer optimizes regular expressions.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const read = `
  import { readContent } from '${join(import.meta.dirname, 'document-content.ts')}';
  import { readContent as readCaseFile } from '${join(import.meta.dirname, '../cases/case-files.ts')}';
  const content = Buffer.alloc(10 << 20, 'a line of text\\n').toString('base64');
  const document = readContent(content, 'text/plain');
  const file = readCaseFile({ type: 'text/plain', content });
  console.log(document.length, file.bytes.length);
`;

it('reads 10 MiB where regular expressions are no longer optimized', () => {
  const said = execFileSync(
    process.execPath,
    ['--no-regexp-optimization', '--input-type=module-typescript', '--eval', read],
    { encoding: 'utf8' },
  );
  expect(said.trim()).toBe(`${10 << 20} ${10 << 20}`);
});
