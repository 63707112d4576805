// A thread that validates XML against a schema, so that the main thread does not block. It receives the schema files: a
// document never causes a read from disk or network.
import { parentPort, workerData } from 'node:worker_threads';
import { XmlBufferInputProvider, XmlDocument, XmlLibError, XsdValidator, xmlRegisterInputProvider } from 'libxml2-wasm';
import type { XsdOrder, XsdThreadData, XsdVerdict } from './xsd-check.ts';

/** Maximum problems reported per piece. */
const mostShown = 20;

const { files, main } = workerData as XsdThreadData;
const schemaAt = (name: string) => `schema/${name}`;

xmlRegisterInputProvider(
  new XmlBufferInputProvider(Object.fromEntries(files.map(({ name, text }) => [schemaAt(name), Buffer.from(text)]))),
);

const problemsOf = (e: unknown): string[] =>
  e instanceof XmlLibError && e.details.length > 0
    ? e.details.slice(0, mostShown).map((d) => d.message.trim())
    : [e instanceof Error ? e.message : String(e)];

function prepared(): XsdValidator | string {
  const text = files.find((f) => f.name === main)?.text ?? '';
  try {
    const document = XmlDocument.fromString(text, { url: schemaAt(main) });
    try {
      return XsdValidator.fromDoc(document);
    } finally {
      document.dispose();
    }
  } catch (e) {
    return `the schema cannot be read: ${problemsOf(e).join('; ')}`;
  }
}

const validator = prepared();

function verdictOn(text: string): string[] {
  if (typeof validator === 'string') return [validator];
  let document: XmlDocument | undefined;
  try {
    document = XmlDocument.fromString(text);
    validator.validate(document);
    return [];
  } catch (e) {
    return problemsOf(e);
  } finally {
    document?.dispose();
  }
}

parentPort?.on('message', ({ id, text }: XsdOrder) => {
  parentPort?.postMessage({ id, problems: verdictOn(text) } satisfies XsdVerdict);
});
