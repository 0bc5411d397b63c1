// Preset texts beside a text field: a press takes one over.
import "./examples.css";

interface ExamplesProps {
  of: readonly string[];
  onChoose: (example: string) => void;
}

export function Examples({ of, onChoose }: ExamplesProps) {
  return (
    <div className="ui-examples">
      {of.map((example) => (
        <button key={example} type="button" onClick={() => onChoose(example)}>
          {example}
        </button>
      ))}
    </div>
  );
}
