// Button that switches between light and dark; in the drawer with its text.
import { toggleTheme, useIsDark } from "../../kit/theme.ts";
import { Glyph } from "../glyph.tsx";

export function ThemeButton({ hasText = false }: { hasText?: boolean }) {
  const isDark = useIsDark();
  const text = isDark ? "切换到浅色" : "切换到深色";
  return (
    <button
      type="button"
      className={hasText ? "menu-line" : "icon-button"}
      aria-label={text}
      onClick={toggleTheme}
    >
      <Glyph name={isDark ? "sun" : "moon"} />
      {hasText && text}
    </button>
  );
}
