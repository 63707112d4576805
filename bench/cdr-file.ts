// Writes a generated call detail file, in a separate process so as not to count in the memory of the measured one.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { plantedFile } from '../service/test/support/planted-lines.ts';

const [path, options] = process.argv.slice(2) as [string, string];
await pipeline(Readable.from(plantedFile(JSON.parse(options))), createWriteStream(path));
