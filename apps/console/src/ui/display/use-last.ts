// Last value of a dialog's subject.
import { useState } from "react";

/** Keeps the last value that was not null: a closing dialog shows it until its animation ends. */
export function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value);
  if (value && value !== last) setLast(value);
  return value ?? last;
}
