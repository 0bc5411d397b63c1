// Keeps the keys of an input method from all shortcuts: Enter that takes its words submits or chooses nothing.

/** Safari sends that Enter after the end of the composition, as a key of the code 229. */
const TO_INPUT_METHOD = 229;

/** An editor of rich text handles compositions itself. */
const isField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

addEventListener(
  "keydown",
  (event) => {
    const isComposing = event.isComposing || event.keyCode === TO_INPUT_METHOD;
    if (isComposing && isField(event.target)) event.stopPropagation();
  },
  { capture: true },
);
