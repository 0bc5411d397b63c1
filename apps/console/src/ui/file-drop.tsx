// A place to drop a file on; what stands in it has a button that opens the browser's own choice.
import { type DragEvent, type ReactNode, useRef, useState } from "react";

export interface FileDropProps {
  className: string;
  /** Of the choice, for those who do not see it. */
  label: string;
  /** Endings or media types, as an input takes them. */
  accept: string;
  onFile: (file: File) => void;
  /** Is given what opens the choice. */
  children: (choose: () => void) => ReactNode;
}

/** `data-over` is true while a file is held above it. */
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
        // Not `hidden`: within a form the library shows every input for files.
        style={{ display: "none" }}
        aria-label={label}
        accept={accept}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file may be chosen again after it was put right.
          event.target.value = "";
          if (file) onFile(file);
        }}
      />
      {children(() => input.current?.click())}
    </div>
  );
}
