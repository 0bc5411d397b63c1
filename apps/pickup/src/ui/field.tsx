// Form fields with a label, a hint and an error that screen readers connect.
import { type InputHTMLAttributes, type RefObject, useEffect, useId, useRef } from "react";

interface FieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "id" | "autoFocus"> {
  label: string;
  hint?: string;
  error?: string | null | undefined;
  value: string;
  onChange: (value: string) => void;
  /** Several lines. */
  isLong?: boolean;
  /** Takes the focus when it appears. */
  isFirst?: boolean;
  ref?: RefObject<HTMLInputElement | null>;
}

export function Field(all: FieldProps) {
  const { label, hint, error, value, onChange, isLong, isFirst, ref, ...rest } = all;
  const id = useId();
  const own = useRef<HTMLInputElement>(null);
  const input = ref ?? own;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it appears.
  useEffect(() => {
    if (isFirst) input.current?.focus();
  }, []);
  const note = error ?? hint;
  const props = {
    ...{ id, value },
    "aria-invalid": error ? true : undefined,
    "aria-describedby": note ? `${id}-note` : undefined,
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {isLong ? (
        <textarea
          {...props}
          maxLength={rest.maxLength}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input
          {...rest}
          {...props}
          ref={input}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
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
  /** `wide`: longer words; `views`: two views of one list, the label is for screen readers alone. */
  look?: "wide" | "views";
  options: readonly { value: Value; title: string; note?: string; isDisabled?: boolean }[];
}

/** One of a few options, shown side by side. */
export function Choice<Value extends string | number>(props: ChoiceProps<Value>) {
  const { label, value, onChange, options, look = "" } = props;
  const name = useId();
  return (
    <fieldset className={`choice ${look}`}>
      <legend className={look === "views" ? "hidden" : undefined}>{label}</legend>
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
