// A shipped country file of tax rules, as staff would load it again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { taxFolder } from '../../src/platform/data-files.ts';

export const countryFile = (): Record<string, unknown> => JSON.parse(readFileSync(join(taxFolder, 'LI.json'), 'utf8'));
