// A few words side by side of which one is chosen; a click chooses another.
import type { ReactNode } from "react";
import "./basics.css";
import "./choice-bar.css";

export interface ChoiceBarProps<Word extends string> {
  /** Says what is chosen, for those who cannot see it. */
  label: string;
  choices: readonly (readonly [word: Word, text: ReactNode])[];
  /** Null: none of them. */
  chosen: Word | null;
  onChoose: (word: Word) => void;
}

export function ChoiceBar<Word extends string>(props: ChoiceBarProps<Word>) {
  const { label, choices, chosen, onChoose } = props;
  return (
    <fieldset className="ui-choice-bar" aria-label={label}>
      {choices.map(([word, text]) => (
        <button
          key={word}
          type="button"
          aria-pressed={chosen === word}
          onClick={() => onChoose(word)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
