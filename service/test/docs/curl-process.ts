// Runs curl.ts as a program, for shells that run lines as they are.
import { curl } from './curl.ts';

const { exitCode, stdout } = await curl(process.argv.slice(2), process.cwd());
process.stdout.write(stdout);
process.exitCode = exitCode;
