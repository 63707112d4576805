// The page of examples: each operation of the specification as it is called in five languages, and what it answers.
import { type Description, operationRows } from '../../src/adapters/docs/description.ts';
import { callsOf, exampleOf, json, languages } from '../../src/adapters/docs/examples.ts';
import { code, generated } from './markdown.ts';

const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

export function examplesPage(given: object): string {
  const description = given as Description;
  // The operations whose address ends in their name are those of the specification.
  const examples = operationRows(description)
    .filter(({ path, o }) => path.endsWith(`/${o.operationId}`))
    .map((row) => exampleOf(description, row));
  const begun = Object.entries(languages).map(([language, { begin }]) => block(language, begin));
  const sections = examples.flatMap((e) => [
    `## ${e.operation}`,
    `${e.summary}. ${code(`${e.method} ${e.path}`)}`,
    ...callsOf(e).map(([language, text]) => block(language, text)),
    ...(e.reply === undefined ? [] : ['The `content` of the reply:', block('json', json(e.reply))]),
  ]);
  return `${[
    generated,
    '# Examples',
    'Each operation of the specification in curl, TypeScript, Python, Java and PHP, and what it answers. `ASSAY` is the address of the service, `KEY` the key of a PSP or client. A test runs them; those in Java, a script for `jshell`, and in PHP where the machine has these. The other operations are called the same way: [operations](operations.md).',
    'What comes before the first call:',
    ...begun,
    ...sections,
  ].join('\n\n')}\n`;
}
