// assay migrate: brings the database to this version's schema, as every start of the service does.
import { add, type Command } from './command.ts';
import { withApp } from './local.ts';

export function migrateCommand(program: Command): void {
  add(program, 'migrate', "bring the database to this version's schema", [], (out) =>
    withApp(out, async ({ services, migrated }) => {
      const rows = await services.db.query<{ name: string }>('SELECT name FROM migrations ORDER BY name');
      const done = { applied: migrated, schema: rows.map((r) => r.name) };
      out.result(done, () => {
        for (const name of done.applied) out.line(`applied ${name}`);
        out.line(
          done.applied.length === 0
            ? `nothing to do: the schema is at ${done.schema.at(-1)}`
            : 'the schema is up to date',
        );
      });
    }),
  );
}
