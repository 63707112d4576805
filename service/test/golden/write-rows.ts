// Writes rows.txt, the record of what every tax row answers, and prints each line that changes (`npm run golden`), so that a
// person reads what a change of the data changes; with --check it only prints them, and ends with 1 if there are any.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { answeredRows, changesBetween, recordFile } from '../support/row-record.ts';

const [option, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (option !== undefined && option !== '--check')) {
  process.stderr.write('golden: use --check or nothing\n');
  process.exit(2);
}
const { lines, differing, rows, questions } = answeredRows();
const before = existsSync(recordFile) ? readFileSync(recordFile, 'utf8').split('\n').slice(0, -1) : [];
const changes = changesBetween(before, lines);
for (const change of changes) process.stdout.write(`${change}\n`);
process.stdout.write(`${rows} rows, ${questions} questions, ${changes.length} lines changed\n`);
if (differing.length > 0) {
  for (const d of differing.slice(0, 20)) process.stderr.write(`${d}\n`);
  process.stderr.write(`golden: ${differing.length} answers differ from the second reading; nothing is written\n`);
  process.exitCode = 1;
} else if (option === '--check') process.exitCode = changes.length > 0 ? 1 : 0;
else writeFileSync(recordFile, `${lines.join('\n')}\n`);
