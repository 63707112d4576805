// Writes a generated call detail file, in a process of its own so that the memory of the one measured is its own.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { plantedFile } from '../service/test/support/planted-lines.ts';

const [path, options] = process.argv.slice(2) as [string, string];
await pipeline(Readable.from(plantedFile(JSON.parse(options))), createWriteStream(path));
