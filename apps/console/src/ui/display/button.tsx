// Button of the console: looks like antd's, without its hooks and variables for each button.
import type { ComponentProps, ReactNode } from "react";
import "./basics.css";
import "./button.css";

export interface ButtonProps extends Omit<ComponentProps<"button">, "type"> {
  type?: "default" | "primary" | "text";
  danger?: boolean;
  size?: "small" | "medium";
  icon?: ReactNode;
  /** Shows a spinner in place of the icon and ignores presses; unlike `disabled` it keeps the focus. */
  loading?: boolean;
  htmlType?: "button" | "submit";
}

export function Button(props: ButtonProps) {
  const { type = "default", danger, size, loading = false, htmlType = "button", ...rest } = props;
  const { className, children, onClick, icon, ...attributes } = rest;
  const picture = loading ? <span className="ui-button-spinner" /> : icon;
  return (
    <button
      {...attributes}
      type={htmlType}
      className={className ? `ui-button ${className}` : "ui-button"}
      data-look={type}
      data-danger={danger}
      data-size={size}
      data-loading={loading}
      aria-disabled={loading || undefined}
      data-icon-only={Boolean(picture) && !children}
      onClick={loading ? (event) => event.preventDefault() : onClick}
    >
      {picture}
      {children}
    </button>
  );
}
