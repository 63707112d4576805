// openapi.json as other programs read it: valid under the schema of OpenAPI, and checked field by field.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { eventKinds } from '../src/core/events.ts';
import { differences, documentedIds, exampleReply } from './client/shape.ts';

const text = readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8');
type Node = Record<string, unknown>;
const document = JSON.parse(text) as Record<'paths' | 'webhooks' | 'components', Record<string, Record<string, Node>>>;
const isNode = (v: unknown): v is Node => typeof v === 'object' && v !== null;

/** Calls `visit` with every object and list of the document. */
function walk(value: unknown, path: string, visit: (node: Node, path: string) => void): void {
  if (!isNode(value)) return;
  visit(value, path);
  for (const [name, inner] of Object.entries(value)) walk(inner, `${path}/${name}`, visit);
}

describe('openapi.json', () => {
  it('is a valid document of OpenAPI 3.1 by the schema of its authors', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('refers only to what is there, and has nothing that is not referred to', () => {
    const referred = new Set<string>();
    walk(document, '#', (node) => typeof node.$ref === 'string' && referred.add(node.$ref));
    const there = Object.entries(document.components).flatMap(([kind, all]) =>
      kind === 'securitySchemes' ? [] : Object.keys(all).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...referred].sort()).toEqual(there.sort());
  });

  it('has an id for every operation and webhook, which no other has', () => {
    const ids = [document.paths, document.webhooks].flatMap((all) =>
      Object.values(all).flatMap((path) => Object.values(path).map((o) => o.operationId)),
    );
    expect(ids.filter((id) => typeof id !== 'string' || !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says of every field and every parameter what it is', () => {
    const silent: string[] = [];
    walk(document.components.schemas, '', (node, path) => {
      if (!path.endsWith('/properties') || path.includes('/examples/')) return;
      for (const [name, field] of Object.entries(node))
        if (!isNode(field) || typeof field.description !== 'string' || field.description.length < 4)
          silent.push(`${path}/${name}`);
    });
    walk(document, '', (node, path) => {
      if (typeof node.in === 'string' && typeof node.name === 'string' && typeof node.description !== 'string')
        silent.push(`${path} ${node.name}`);
    });
    expect(silent).toEqual([]);
  });

  it('describes no choice between words as a day or a month', () => {
    const wrong: string[] = [];
    walk(document, '', (node, path) => {
      if (Array.isArray(node.enum) && /YYYY/.test(String(node.description))) wrong.push(path);
    });
    expect(wrong).toEqual([]);
  });

  it('says of every pattern in words what a text of it is', () => {
    const [silent, found]: [string[], string[]] = [[], []];
    walk(document, '', (node, path) => {
      const { pattern = (node.schema as Node | undefined)?.pattern, description } = node;
      if (typeof pattern !== 'string' || /\/(examples|schema)$/.test(path)) return;
      found.push(path);
      if (!/\bMust be (?!undefined)/.test(String(description))) silent.push(`${path} ${pattern}`);
    });
    expect(found.length).toBeGreaterThan(30);
    expect(silent).toEqual([]);
  });

  it('has an example of the reply of every operation, which is as the operation is documented', () => {
    for (const id of documentedIds()) expect([id, differences(id, exampleReply(id))]).toEqual([id, []]);
  });

  it('puts every operation into a section that says what it is about, and has none without operations', () => {
    const { tags, paths } = JSON.parse(text) as { tags: { name: string; description?: string }[]; paths: Node };
    const used = new Set<unknown>();
    walk(paths, '', (node) => Array.isArray(node.tags) && node.tags.forEach((tag) => void used.add(tag)));
    expect([...used].sort()).toEqual(tags.map((t) => t.name).sort());
    expect(tags.filter((t) => !/^[A-Z].{20,}\.$/.test(t.description ?? ''))).toEqual([]);
  });

  it('has a webhook for every type of event that is announced, and for the test event', () => {
    const announced = Object.entries(eventKinds).flatMap(([type, name]) => (name === null ? [] : [type]));
    expect(Object.keys(document.webhooks).sort()).toEqual([...announced, 'webhook.test'].sort());
  });
});
