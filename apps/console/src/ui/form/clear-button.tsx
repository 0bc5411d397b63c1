// Button at the end of a field that empties it.
import "./field.css";

/** Keyboards clear by Delete: it is not in the tab order, and the field keeps the focus. */
export function ClearButton({ onClear }: { onClear: () => void }) {
  return (
    <button
      type="button"
      className="ui-field-clear"
      aria-label="清除"
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClear}
    />
  );
}
