// Reads PromQL by Prometheus' own grammar: the metrics that an expression selects, and the labels that it names.
import { parser } from "@prometheus-io/lezer-promql";

export interface Selection {
  metric: string;
  /** Labels of its matchers. */
  labels: string[];
}

export interface Query {
  /** Texts that the grammar does not allow. */
  errors: string[];
  selections: Selection[];
  /** Labels of `by`, `without`, `on`, `ignoring` and `group_left`. */
  grouping: string[];
}

const NAMES = ["Identifier", "LabelName", "QuotedLabelName"];

export function readQuery(expression: string): Query {
  const query: Query = { errors: [], selections: [], grouping: [] };
  const textOf = ({ from, to }: { from: number; to: number }) => expression.slice(from, to);
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) query.errors.push(expression.slice(node.from, node.from + 20));
      if (node.name === "VectorSelector") query.selections.push({ metric: "", labels: [] });
      if (!NAMES.includes(node.name)) return;
      const selection = query.selections.at(-1);
      const parents = [node.node.parent?.name, node.node.parent?.parent?.name];
      if (parents.includes("GroupingLabels")) query.grouping.push(textOf(node));
      else if (node.name === "Identifier" && selection) selection.metric = textOf(node);
      else selection?.labels.push(textOf(node));
    },
  });
  return query;
}
