// What a condition may be made of: operators and functions that are cheap and exact. Everything else is refused, so that
// a later version of the language adds nothing by itself.
import type { ASTNode } from '@marcbachmann/cel-js';
import { type Said, said } from '../../core/said.ts';

export interface Fault {
  readonly start: number;
  readonly problem: Said;
}

interface Forms {
  /** Whether a text is a decimal amount. */
  readonly isDecimal: (text: string) => boolean;
  readonly listedKinds: readonly string[];
}

const operators = new Set(['&&', '||', '!_', '?:', '==', '!=', '<', '<=', '>', '>=', '+', '-', '*', 'in']);
const functions = new Set(['decimal', 'atLeast', 'times', 'listed', 'size']);
const methods = new Set(['contains', 'startsWith', 'endsWith', 'size']);
const mostFaults = 10;

/** In the order of the text. */
export function faultsIn(root: ASTNode, forms: Forms): Fault[] {
  const faults: Fault[] = [];
  const visit = (n: ASTNode): void => {
    if (faults.length >= mostFaults) return;
    const no = (problem: Said) => faults.push({ start: n.start, problem });
    switch (n.op) {
      case 'value':
        if (typeof n.args === 'number') no(said`binary floating point is not exact; write decimal("1.5")`);
        else if (!['string', 'bigint', 'boolean'].includes(typeof n.args))
          no(said`only texts, whole numbers, true and false`);
        return;
      case 'id':
        return;
      case '.':
        visit(n.args[0]);
        return;
      case 'list':
        for (const inner of n.args) visit(inner);
        return;
      case 'call': {
        const [name, given] = n.args;
        if (!functions.has(name)) no(said`no function ${name.slice(0, 40)}; there are ${[...functions].join(', ')}`);
        else for (const p of textProblems(name, given, forms)) no(p);
        for (const inner of given) visit(inner);
        return;
      }
      case 'rcall': {
        const [name, on, given] = n.args;
        if (!methods.has(name)) no(said`no method ${name.slice(0, 40)}; there are ${[...methods].join(', ')}`);
        for (const inner of [on, ...given]) visit(inner);
        return;
      }
      case '!_':
        visit(n.args);
        return;
      default:
        if (!operators.has(n.op)) {
          no(said`the operator ${n.op} cannot be used here; there are ${[...operators].join(' ').replace('!_', '!')}`);
          return;
        }
        for (const inner of n.args as readonly ASTNode[]) visit(inner);
    }
  };
  visit(root);
  return faults.sort((a, b) => a.start - b.start);
}

/** Whether it is false without a limit: `limit.known` is one of the parts that must all be true. */
export function needsLimit(n: ASTNode): boolean {
  if (n.op === '&&') return n.args.some((part) => needsLimit(part));
  return n.op === '.' && n.args[1] === 'known' && n.args[0].op === 'id' && n.args[0].args === 'limit';
}

/** Texts that have a form of their own are literals, so that they are checked here. */
function textProblems(name: string, given: readonly ASTNode[], forms: Forms): Said[] {
  const literal = (n: ASTNode | undefined) => (n?.op === 'value' && typeof n.args === 'string' ? n.args : undefined);
  if (name === 'decimal' || name === 'atLeast') {
    const text = literal(given.at(-1));
    return text !== undefined && forms.isDecimal(text)
      ? []
      : [said`${name} takes a decimal amount as text, such as "10000.50"`];
  }
  if (name === 'listed') {
    const kind = literal(given[1]);
    return kind !== undefined && forms.listedKinds.includes(kind)
      ? []
      : [said`listed takes the record, a kind (${forms.listedKinds.join(', ')}) and a value`];
  }
  return [];
}
