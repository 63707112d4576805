// The types of every operation, from the OpenAPI description. What it calls `number` is an exact decimal there: the
// types leave open how a call writes one (`Written`) and how a reply is read (`Read`); `integer` is a number.
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { type Described, operationsOf, reply } from './description.ts';

export async function schemaTypes(description: Described): Promise<string> {
  const nodes = await openapiTS(slim(description) as unknown as OpenAPI3, {
    silent: true,
    emptyObjectsUnknown: true,
    transform(schema, { path }) {
      if ((schema as { type?: string }).type !== 'number') return undefined;
      return ts.factory.createTypeReferenceNode(path?.includes('/responses/') ? 'Read' : 'Written');
    },
  });
  const text = astToString(nodes.filter((n) => ts.isInterfaceDeclaration(n) && n.name.text === 'operations'));
  const summaries = new Map(operationsOf(description).map((o) => [o.operationId, o.summary]));
  return text
    .replace('export interface operations {', 'export interface operations<Written, Read> {')
    .replace(/^ {4}(\w+): \{$/gm, (line, id: string) => `    /** ${summaries.get(id)}. */\n${line}`);
}

/** Without failures, which the client has in one form of its own, and without headers, which it sets itself. */
function slim(description: Described): Described {
  const slimmed = structuredClone(description);
  for (const o of operationsOf(slimmed)) {
    o.responses = { 200: { description: 'Success', content: reply(o) } };
    o.parameters = (o.parameters ?? []).filter((p) => p.in !== 'header');
  }
  return slimmed;
}
