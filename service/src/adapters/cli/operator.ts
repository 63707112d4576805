// assay operator: staff accounts, whose keys may call the admin operations.
import { type Command, call, group, needed } from './command.ts';

export function operatorCommands(program: Command): void {
  const operator = group(program, 'operator', 'staff accounts for the admin API');
  call(
    operator,
    'create',
    'create an operator; its key is printed this once',
    [needed('--name <name>', 'whose or what it is')],
    'createOperator',
    {
      show: (out, made) =>
        out.facts([
          ['Operator', made.operatorId],
          ['Name', made.name],
          ['API key', made.apiKey],
        ]),
      remark: 'Keep the key: it is not shown again.',
    },
  );
}
