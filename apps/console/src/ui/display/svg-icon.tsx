// Icon: a built-in one by name, or an external one by URL (specification §2).
import { icons, isIconAddress, isIconName } from "./icons.ts";
import "./svg-icon.css";
import "./basics.css";

export interface SvgIconProps {
  /** Name in `icons`, or URL of an image: `data:image/…` or a path that starts with `/`. */
  name: string;
  /** Accessible name; without it the icon is decorative. */
  label?: string;
  className?: string;
}

export function SvgIcon({ name, label, className }: SvgIconProps) {
  const classes = className ? `ui-icon ${className}` : "ui-icon";
  if (isIconAddress(name)) {
    // A mask takes the text colour, as the built-in icons do.
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
