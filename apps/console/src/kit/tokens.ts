// Reads tokens.css for code that needs values: antd's theme, the map, media queries.
import tokens from "../tokens.css?raw";

function readToken(name: string): string {
  return new RegExp(`--${name}: ([^;]+);`).exec(tokens)?.[1] ?? "";
}

/** One side of `light-dark()`, with which antd and ECharts cannot calculate. */
export function readColor(name: string, isDark: boolean): string {
  const value = readToken(name);
  const [, light, dark] = /^light-dark\((\S+), (\S+)\)$/.exec(value) ?? [value, value, value];
  return (isDark ? dark : light) ?? value;
}

export const readPixels = (name: string): number => Number.parseFloat(readToken(name));

/** Media query of all widths below a breakpoint. */
export function below(breakpoint: "tablet" | "wide"): MediaQueryList {
  return matchMedia(`(width < ${readToken(`breakpoint-${breakpoint}`)})`);
}
