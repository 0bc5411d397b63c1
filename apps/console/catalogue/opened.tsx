// Button that opens an overlay, which is open at the start.
import { type ReactNode, useState } from "react";
import { Button } from "../src/ui/display/button.tsx";

interface OpenedProps {
  children: (isOpen: boolean, close: () => void) => ReactNode;
}

export function Opened({ children }: OpenedProps) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <div>
      <Button onClick={() => setIsOpen(true)}>打开</Button>
      {children(isOpen, () => setIsOpen(false))}
    </div>
  );
}
