// antd in our colours, and the place of its dialogs: static styles, variables for light and dark, Chinese locale.
import ConfigProvider, { type ThemeConfig } from "antd/es/config-provider";
import zhCN from "antd/es/locale/zh_CN";
import darkAlgorithm from "antd/es/theme/themes/dark";
import defaultAlgorithm from "antd/es/theme/themes/default";
import type { ReactNode } from "react";
import { useIsDark } from "../kit/theme.ts";
import { readColor, readPixels } from "../kit/tokens.ts";
import { OverlayRoot } from "../ui/display/overlays.tsx";
import "antd/dist/antd.css";
import "../ui/display/basics.css";
import "./antd-provider.css";
// Calendars read the names of months and weekdays from here.
import "dayjs/locale/zh-cn";

/** `--ant-…` variables are set on the root element, so that our own styles can use them. */
const shared: ThemeConfig = {
  zeroRuntime: true,
  hashed: false,
  cssVar: { key: "css-var-root" },
};

const wantsMotion = !matchMedia("(prefers-reduced-motion: reduce)").matches;

function themeOf(isDark: boolean): ThemeConfig {
  const color = (name: string) => readColor(name, isDark);
  return {
    ...shared,
    algorithm: isDark ? darkAlgorithm : defaultAlgorithm,
    token: {
      motion: wantsMotion,
      borderRadius: readPixels("radius-md"),
      fontSize: readPixels("text-md"),
      fontFamily: "var(--font)",
      wireframe: false,
      colorPrimary: color("brand-seed"),
      // antd's own colour is too light as a background of white text.
      colorPrimaryHover: color("brand-hover"),
      colorError: color("danger-seed"),
      colorText: color("ink"),
      colorTextSecondary: color("ink-2"),
      colorTextTertiary: color("ink-3"),
      colorTextPlaceholder: color("placeholder"),
      colorBgLayout: color("page"),
      colorBgContainer: color("surface"),
      colorBgElevated: color("surface-raised"),
      colorBorder: color("line-strong"),
      colorBorderSecondary: color("line"),
      ...(isDark && { colorBgBase: color("page") }),
    },
    // Colours that are dark enough behind white text are too dark as text.
    ...(isDark && {
      components: {
        Button: {
          defaultHoverColor: color("brand-ink"),
          defaultHoverBorderColor: color("brand-ink"),
        },
      },
    }),
  };
}

const light = themeOf(false);
const dark = themeOf(true);

const button = { autoInsertSpace: false };

export function AntdProvider({ children }: { children: ReactNode }) {
  const isDark = useIsDark();
  return (
    <ConfigProvider theme={isDark ? dark : light} locale={zhCN} button={button}>
      <OverlayRoot>{children}</OverlayRoot>
    </ConfigProvider>
  );
}
