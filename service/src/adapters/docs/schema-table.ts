// The fields of a schema as a table. Objects that have a name are linked to, others are written out.
import { escapeHtml } from '../../core/reports/html.ts';
import { nameIn, type Schema } from './description.ts';
import { renderInline } from './markdown.ts';

export const objectsAddress = '/docs/api/objects';
export const objectAddress = (name: string): string => `${objectsAddress}/${name}`;

/** How deep objects without a name are written out. */
const maxDepth = 4;

export const linked = (name: string): string => `<a href="${objectAddress(name)}">${escapeHtml(name)}</a>`;

export function typeOf(s: Schema | undefined): string {
  if (s === undefined) return 'any';
  const name = nameIn(s);
  if (name !== undefined) return linked(name);
  const either = s.anyOf ?? s.oneOf;
  if (either) return [...new Set(either.map(typeOf))].join(' or ');
  if (s.allOf) return s.allOf.map(typeOf).join(' with ');
  if (s.const !== undefined) return `<code>${escapeHtml(JSON.stringify(s.const))}</code>`;
  if (s.items) return `list of ${typeOf(s.items)}`;
  if (s.enum) return 'one of';
  const types = [s.type ?? 'any'].flat();
  const words = types.map((t) => (t === 'string' && s.format ? s.format : t));
  return escapeHtml(words.join(' or '));
}

function limits(s: Schema): string {
  const said = [
    s.maxLength !== undefined && `at most ${s.maxLength} characters`,
    s.maxItems !== undefined && `at most ${s.maxItems}`,
  ].filter((x) => x !== false);
  return said.length > 0 ? `<br><small>${said.join(', ')}</small>` : '';
}

const values = (s: Schema): string => {
  const of = s.enum ?? s.items?.enum;
  return of ? `<br>${of.map((v) => `<code>${escapeHtml(String(v))}</code>`).join(' ')}` : '';
};

/** The object of a schema and of what it is combined with; undefined if it is none. */
export function objectOf(s: Schema | undefined, schemas: Readonly<Record<string, Schema>>): Schema | undefined {
  const name = nameIn(s);
  if (name !== undefined) return objectOf(schemas[name], schemas);
  if (!s?.allOf) return s?.properties ? s : undefined;
  const own = s.properties ? [{ properties: s.properties, required: s.required ?? [] }] : [];
  const parts: Schema[] = [...s.allOf.flatMap((p) => objectOf(p, schemas) ?? []), ...own];
  return parts.length === 0
    ? undefined
    : {
        properties: Object.assign({}, ...parts.map((p) => p.properties)) as Record<string, Schema>,
        required: parts.flatMap((p) => p.required ?? []),
      };
}

/** @param s an object */
export function fieldTable(s: Schema, depth = 0): string {
  const rows = Object.entries(s.properties ?? {}).map(([name, of]) => {
    const inner = of.items ?? of;
    const within = inner.properties && depth < maxDepth ? fieldTable(inner, depth + 1) : '';
    const required = s.required?.includes(name) ? ' <b class="required">required</b>' : '';
    return `<tr><th scope="row"><code>${escapeHtml(name)}</code>${required}</th><td>${typeOf(of)}${limits(of)}${values(of)}</td><td>${renderInline(of.description ?? '')}${within}</td></tr>`;
  });
  return rows.length === 0
    ? ''
    : `<div class="table" role="region" tabindex="0" aria-label="fields"><table class="fields"><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}
