// Past of a dialog: its last subject, and whether it was ever open.
import { useState } from "react";

/** Keeps the last value that was not null: a closing dialog shows it until its animation ends. */
export function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value);
  if (value && value !== last) setLast(value);
  return value ?? last;
}

/** True from the first render on that `isTrue` was. */
export function useEver(isTrue: boolean): boolean {
  const [was, setWas] = useState(isTrue);
  if (isTrue && !was) setWas(true);
  return was || isTrue;
}
