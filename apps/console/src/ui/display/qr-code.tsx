// QR code as vectors, sharp at every size on screen and paper; black on white in every theme.
import qrcode from "qrcode-generator";
import { useMemo } from "react";

const QUIET_MODULES = 4;

export interface QrCodeProps {
  text: string;
  /** Accessible name. */
  label: string;
  className?: string;
}

export function QrCode({ text, label, className }: QrCodeProps) {
  const { side, path } = useMemo(() => modulesOf(text), [text]);
  return (
    <svg
      className={className}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={side} height={side} fill="white" />
      <path d={path} fill="black" />
    </svg>
  );
}

/** Dark modules as one path, with the standard's quiet zone around them. */
function modulesOf(text: string): { side: number; path: string } {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = "";
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      if (code.isDark(row, column)) {
        path += `M${column + QUIET_MODULES} ${row + QUIET_MODULES}h1v1h-1z`;
      }
    }
  }
  return { side: count + QUIET_MODULES * 2, path };
}
