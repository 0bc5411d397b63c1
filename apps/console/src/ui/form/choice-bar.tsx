// Segmented control: short options side by side, one of them chosen.
import type { ReactNode } from "react";
import "../display/basics.css";
import "./choice-bar.css";

export interface ChoiceBarProps<Word extends string> {
  /** Accessible name of the group. */
  label: string;
  choices: readonly (readonly [word: Word, text: ReactNode])[];
  /** Null: no option is chosen. */
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
