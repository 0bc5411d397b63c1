// Props that a form supplies to a control.

/** `Change`: argument of `onChange`, if it differs from the value. */
export interface Control<Value, Change = Value> {
  id?: string;
  value?: Value;
  onChange?: (value: Change) => void;
}
