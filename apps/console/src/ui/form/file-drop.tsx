// Drop target for a file; its content has a button that opens the browser's file dialog.
import { type DragEvent, type ReactNode, useRef, useState } from "react";

export interface FileDropProps {
  className: string;
  /** Accessible name of the file input. */
  label: string;
  /** Extensions or media types, as in the `accept` attribute. */
  accept: string;
  onFile: (file: File) => void;
  /** Receives a function that opens the file dialog. */
  children: (choose: () => void) => ReactNode;
}

/** `data-over` is true while a file is dragged over it. */
export function FileDrop({ className, label, accept, onFile, children }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the button does the same
    <div
      className={className}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        // Not `hidden`: antd shows every file input inside a form.
        style={{ display: "none" }}
        aria-label={label}
        accept={accept}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // Reset so that choosing the same file again, after it was fixed, fires `change`.
          event.target.value = "";
          if (file) onFile(file);
        }}
      />
      {children(() => input.current?.click())}
    </div>
  );
}
