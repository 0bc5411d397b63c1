// An icon: one of the console's own by name, or an external one by its address (specification §2).
import { icons, isIconAddress, isIconName } from "./icons.ts";
import "./svg-icon.css";
import "./basics.css";

export interface SvgIconProps {
  /** A name of `icons`, or the address of an image: `data:image/…` or a path from `/`. */
  name: string;
  /** What it says to those who cannot see it; without it the icon is decoration. */
  label?: string;
  className?: string;
}

export function SvgIcon({ name, label, className }: SvgIconProps) {
  const classes = className ? `ui-icon ${className}` : "ui-icon";
  if (isIconAddress(name)) {
    // A mask takes the text's colour, as our own icons do.
    const mask = `url(${JSON.stringify(name)})`;
    return (
      <span
        className={`${classes} ui-icon-external`}
        style={{ maskImage: mask }}
        {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true })}
      />
    );
  }
  if (!isIconName(name)) return null;
  return (
    <svg className={classes} viewBox="0 0 24 24" role="img" aria-hidden={!label} aria-label={label}>
      <path d={icons[name]} />
    </svg>
  );
}
