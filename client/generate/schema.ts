// The types of every operation and of every named schema, from the OpenAPI description. What it calls `number` is an
// exact decimal there: the types leave open how a call writes one (`Written`) and how a reply is read (`Read`), and named
// types have a parameter for it (`N`); `integer` is a number.
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { type Described, operationsOf, reply, type Schemas, walk } from './description.ts';

export interface SchemaTypes {
  /** The named schemas, each an interface or a type of its name. */
  readonly named: string;
  /** The operations, in terms of the named schemas. */
  readonly operations: string;
}

export async function schemaTypes(description: Described): Promise<SchemaTypes> {
  const { schemas } = description.components;
  const exact = new Set(Object.keys(schemas).filter((name) => holdsDecimal(schemas, name)));
  const nodes = await openapiTS(slim(description) as unknown as OpenAPI3, {
    silent: true,
    emptyObjectsUnknown: true,
    transform(schema, { path }) {
      if ((schema as { type?: string }).type !== 'number') return undefined;
      return ts.factory.createTypeReferenceNode(decimalAt(path));
    },
  });
  const linked = nodes.map((n) => linkedByName(n, schemas, exact, 'N'));
  return { named: namedTypes(linked, schemas, exact), operations: operationTypes(linked, description) };
}

const decimalAt = (path: string | undefined): string =>
  path?.includes('#/components/') ? 'N' : path?.includes('/responses/') ? 'Read' : 'Written';

/** Whether an exact decimal is anywhere below a named schema. */
function holdsDecimal(schemas: Schemas, name: string): boolean {
  let found = false;
  walk(schemas, { $ref: `#/components/schemas/${name}` }, '', (s) => {
    found ||= [s.type].flat().includes('number');
  });
  return found;
}

/** The node with references as the names of the types they are to; `decimal` is how exact decimals are called there. */
function linkedByName<N extends ts.Node>(node: N, schemas: Schemas, exact: ReadonlySet<string>, decimal: string): N {
  const visit = (n: ts.Node, here: string): ts.Node => {
    const name = ts.isTypeNode(n) ? referenced(n) : undefined;
    if (name !== undefined) {
      const number = ts.factory.createTypeReferenceNode(here);
      if (schemas[name]?.type === 'number') return number;
      return ts.factory.createTypeReferenceNode(name, exact.has(name) ? [number] : undefined);
    }
    const property = ts.isPropertySignature(n) ? nameText(n.name) : '';
    const below = property === 'responses' ? 'Read' : property === 'requestBody' ? 'Written' : here;
    return ts.visitEachChild(n, (child) => visit(child, below), undefined);
  };
  return visit(node, decimal) as N;
}

/** The name in `components["schemas"]["Name"]`. */
function referenced(type: ts.TypeNode): string | undefined {
  if (!ts.isIndexedAccessTypeNode(type) || !ts.isIndexedAccessTypeNode(type.objectType)) return undefined;
  const { indexType } = type;
  return ts.isLiteralTypeNode(indexType) && ts.isStringLiteral(indexType.literal) ? indexType.literal.text : undefined;
}

/** Comments as people write them: what the types say already is not repeated. */
const docComments = (text: string): string =>
  text
    .replace(/^ *\* @(?:enum|constant).*\n/gm, '')
    .replace(/\/\*\* @(?:enum|constant)[^\n]*\*\/\n */g, '')
    .replaceAll('@description ', '')
    .replace(/\/\*\*\n +\* ([^\n]*)\n +\*\//g, '/** $1 */');

/** Each named schema as a declaration that an editor shows by its name. */
function namedTypes(nodes: readonly ts.Node[], schemas: Schemas, exact: ReadonlySet<string>): string {
  const components = nodes.find((n) => ts.isInterfaceDeclaration(n) && n.name.text === 'components');
  const list = (components as ts.InterfaceDeclaration).members.find((m) => m.name && nameText(m.name) === 'schemas');
  const { members } = (list as ts.PropertySignature).type as ts.TypeLiteralNode;
  const declared = members
    .filter((m) => schemas[nameText(m.name as ts.PropertyName)]?.type !== 'number')
    .map((m) => declaration(m as ts.PropertySignature, exact));
  return declared.map((d) => docComments(astToString([d]))).join('\n');
}

const nameText = (name: ts.PropertyName): string => ('text' in name ? name.text : '');

function declaration(member: ts.PropertySignature, exact: ReadonlySet<string>): ts.Statement {
  const name = nameText(member.name);
  const type = member.type as ts.TypeNode;
  const exported = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const number = ts.factory.createKeywordTypeNode(ts.SyntaxKind.NumberKeyword);
  const parameters = exact.has(name)
    ? [ts.factory.createTypeParameterDeclaration(undefined, 'N', undefined, number)]
    : undefined;
  const extended = extension(type);
  const declared = extended
    ? ts.factory.createInterfaceDeclaration(exported, name, parameters, [extended.heritage], extended.members)
    : ts.isTypeLiteralNode(type)
      ? ts.factory.createInterfaceDeclaration(exported, name, parameters, undefined, type.members)
      : ts.factory.createTypeAliasDeclaration(exported, name, parameters, type);
  return ts.setSyntheticLeadingComments(declared, ts.getSyntheticLeadingComments(member));
}

/** The parts of a type that is a named one and some members more; undefined for any other. */
function extension(type: ts.TypeNode) {
  const parts: readonly ts.TypeNode[] = ts.isIntersectionTypeNode(type) ? type.types : [];
  const own = parts.find(ts.isTypeLiteralNode);
  const other = parts.find(ts.isTypeReferenceNode);
  // Around it where the members are among its own: those say themselves that they are required.
  const required =
    other && (other.typeName as ts.Identifier).text === 'WithRequired' ? other.typeArguments?.[0] : other;
  const base = required && ts.isTypeReferenceNode(required) ? required : undefined;
  if (parts.length !== 2 || own === undefined || base === undefined) return undefined;
  const extended = ts.factory.createExpressionWithTypeArguments(base.typeName as ts.Identifier, base.typeArguments);
  return {
    heritage: ts.factory.createHeritageClause(ts.SyntaxKind.ExtendsKeyword, [extended]),
    members: own.members,
  };
}

function operationTypes(nodes: readonly ts.Node[], description: Described): string {
  const all = nodes.filter((n) => ts.isInterfaceDeclaration(n) && n.name.text === 'operations');
  const text = docComments(astToString(all as ts.Node[]));
  const summaries = new Map(operationsOf(description).map((o) => [o.operationId, o.summary]));
  const named = Object.keys(description.components.schemas).filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return `import type {\n${named.map((name) => `  ${name},\n`).join('')}} from './resources.ts';\n\n${text
    .replace('export interface operations {', 'export interface operations<Written, Read> {')
    .replace(/^ {4}(\w+): \{$/gm, (line, id: string) => `    /** ${summaries.get(id)}. */\n${line}`)}`;
}

/** Without failures, which the client has in one form of its own, and without headers, which it sets itself. */
function slim(description: Described): Described {
  const { components, paths } = structuredClone(description);
  const { Problem: _, ...named } = components.schemas;
  // An example of a whole record would fill an editor's window.
  const schemas = Object.fromEntries(
    Object.entries(named).map(([name, schema]) => [name, { ...schema, examples: undefined }]),
  );
  const slimmed = { openapi: '3.1.0', info: { title: '', version: '' }, paths, components: { schemas } };
  for (const o of operationsOf(slimmed)) {
    o.responses = { 200: { description: 'Success', content: reply(o) } };
    o.parameters = (o.parameters ?? []).filter((p) => p.in !== 'header');
    for (const body of Object.values(o.requestBody?.content ?? {})) delete (body as { example?: unknown }).example;
  }
  return slimmed;
}
