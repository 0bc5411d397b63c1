// Form fields with a label, a hint and an error that screen readers connect.
import { type InputHTMLAttributes, type ReactNode, useId } from "react";

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "id"> {
  label: string;
  hint?: string;
  error?: string | null | undefined;
  value: string;
  onChange: (value: string) => void;
  /** Beside the input. */
  action?: ReactNode;
}

export function Field({ label, hint, error, value, onChange, action, ...rest }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-line">
        <input
          {...rest}
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
        />
        {action}
      </div>
      {note && (
        <p id={`${id}-note`} className={error ? "field-error" : "field-hint"}>
          {note}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps<Value extends string | number> {
  label: string;
  value: Value | null;
  onChange: (value: Value) => void;
  options: readonly { value: Value; title: string; note?: string; isDisabled?: boolean }[];
}

/** One of a few options, shown side by side. */
export function Choice<Value extends string | number>(props: ChoiceProps<Value>) {
  const { label, value, onChange, options } = props;
  const name = useId();
  return (
    <fieldset className="choice">
      <legend>{label}</legend>
      <div className="choice-options">
        {options.map((option) => (
          <label key={option.value} className="choice-option">
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              disabled={option.isDisabled}
              onChange={() => onChange(option.value)}
            />
            <span className="choice-box">
              <span className="choice-title">{option.title}</span>
              {option.note !== undefined && <span className="choice-note">{option.note}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
