// Parameters of reports as options of commands: --set name=value, by the types that the service names.
import { UsageError } from './exit-codes.ts';
import type { Session } from './session.ts';

export type Schemas = Readonly<Record<string, { readonly type?: string } | undefined>>;

/** The parameters of all kinds of reports. @throws UsageError if there is no such kind */
export async function parametersOf(session: Session, kind: string): Promise<Schemas> {
  const { items } = await session.ask('listReportKinds');
  if (!items.some((k) => k.kind === kind))
    throw new UsageError(`there is no report '${kind}'; there are ${items.map((k) => k.kind).join(', ')}`);
  return Object.assign({}, ...items.map((k) => (k.parameters as { properties: Schemas }).properties));
}

/** Reads texts such as name=value by the types of the parameters. @throws UsageError */
export function given(set: readonly string[], schemas: Schemas): Record<string, unknown> {
  return Object.fromEntries(
    set.map((text) => {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
      const schema = name === undefined || !Object.hasOwn(schemas, name) ? undefined : schemas[name];
      if (name === undefined || value === undefined || !schema)
        throw new UsageError(`--set takes name=value, with one of ${Object.keys(schemas).join(', ')}; not '${text}'`);
      if (schema.type === 'boolean' && /^(true|false)$/.test(value)) return [name, value === 'true'];
      return [name, schema.type === 'integer' && /^\d{1,15}$/.test(value) ? Number(value) : value];
    }),
  );
}

export const repeated = (value: string, before: readonly string[] = []) => [...before, value];
