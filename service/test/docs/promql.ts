// Reads the queries of alerts and boards with Prometheus' own grammar: which metrics they ask for, with which labels.
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly op: string; readonly value: string }[];
  /** Whether it is read over a range of time, as counters are. */
  readonly overTime: boolean;
}

export interface Query {
  readonly selectors: readonly Selector[];
  /** Labels that the query groups by. */
  readonly grouped: readonly string[];
}

function nodesOf(top: SyntaxNode, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  top.cursor().iterate((n) => void (n.name === name && found.push(n.node)));
  return found;
}

/** @throws Error if it is no query */
export function readQuery(expr: string): Query {
  const tree = parser.parse(expr);
  const at = (n: SyntaxNode) => expr.slice(n.from, n.to);
  const [wrong] = nodesOf(tree.topNode, '⚠');
  if (wrong) throw new Error(`no query from position ${wrong.from} on: ${expr}`);
  const selectors = nodesOf(tree.topNode, 'VectorSelector').map((n) => ({
    metric: at(n.getChild('Identifier') ?? n),
    matchers: nodesOf(n, 'UnquotedLabelMatcher').map((m) => {
      const [label, op, value] = ['LabelName', 'MatchOp', 'StringLiteral'].map((part) =>
        at(m.getChild(part) as SyntaxNode),
      );
      return { label: label as string, op: op as string, value: (value as string).slice(1, -1) };
    }),
    overTime: n.parent?.name === 'MatrixSelector',
  }));
  const grouped = nodesOf(tree.topNode, 'GroupingLabels').flatMap((n) => nodesOf(n, 'LabelName').map(at));
  return { selectors, grouped: [...new Set(grouped)] };
}

export interface Series {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The series of what a service answers to a scrape. */
export const readSeries = (text: string): Series[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, metric, labels, value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (metric === undefined) throw new Error(`no series: ${line}`);
      const pairs = [...(labels ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
      return {
        metric,
        labels: Object.fromEntries(pairs.map(([, name, text]) => [name, text])),
        value: Number((value as string).replace('Inf', 'Infinity')),
      };
    });

/** Those of the series that a selector is of. */
export const selected = (series: readonly Series[], { metric, matchers }: Selector): Series[] =>
  series.filter(
    (s) =>
      s.metric === metric &&
      matchers.every(({ label, op, value }) => {
        const has = s.labels[label] ?? '';
        const is = op.endsWith('~') ? new RegExp(`^(?:${value})$`).test(has) : has === value;
        return op.startsWith('!') ? !is : is;
      }),
  );
