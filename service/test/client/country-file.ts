// A country's tax rules as staff would load them again: those that ship.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { taxFolder } from '../../src/platform/data-files.ts';

export const countryFile = (): Record<string, unknown> => JSON.parse(readFileSync(join(taxFolder, 'LI.json'), 'utf8'));
