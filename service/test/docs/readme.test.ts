// Numbers that the README tells people, held against what is there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const forms = join(root, 'service/data/filing');

it('the README says how many forms of returns there are, and of how many countries', () => {
  const files = readdirSync(forms).filter((f) => f.endsWith('.json'));
  const count = files.reduce((n, f) => n + JSON.parse(readFileSync(join(forms, f), 'utf8')).forms.length, 0);
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`${count} forms of ${files.length} countries`);
});
