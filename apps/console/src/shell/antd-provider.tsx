// antd in our colours: static styles, variables for light and dark, Chinese locale.
import ConfigProvider, { type ThemeConfig } from "antd/es/config-provider";
import zhCN from "antd/es/locale/zh_CN";
import darkAlgorithm from "antd/es/theme/themes/dark";
import defaultAlgorithm from "antd/es/theme/themes/default";
import type { ReactNode } from "react";
import { useIsDark } from "../kit/theme.ts";
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
const token = {
  colorPrimary: "#596bc8",
  // antd's own colour is too light as a background of white text.
  colorPrimaryHover: "#4c5db8",
  borderRadius: 6,
  fontFamily: "var(--font)",
  wireframe: false,
};

const light: ThemeConfig = {
  ...shared,
  algorithm: defaultAlgorithm,
  token: {
    ...token,
    // antd's own colour is too light for text.
    colorError: "#cf2f37",
    colorText: "#1b1f2e",
    colorTextSecondary: "#464c61",
    colorTextTertiary: "#686f86",
    colorTextPlaceholder: "#6e7589",
    colorBgLayout: "#f5f6fa",
    colorBorder: "#d3d7e4",
    colorBorderSecondary: "#e7e9f0",
  },
};
const dark: ThemeConfig = {
  ...shared,
  algorithm: darkAlgorithm,
  token: {
    ...token,
    colorPrimary: "#697ad2",
    colorError: "#ff7875",
    colorText: "#e8eaf3",
    colorTextSecondary: "#b9bed0",
    colorTextTertiary: "#8f96ad",
    colorTextPlaceholder: "#858ca2",
    colorBgBase: "#0f1117",
    colorBgLayout: "#0f1117",
    colorBgContainer: "#171a22",
    colorBgElevated: "#1e222d",
    colorBorder: "#3a4051",
    colorBorderSecondary: "#262a36",
  },
  // Colours that are dark enough behind white text are too dark as text.
  components: { Button: { defaultHoverColor: "#98a3e3", defaultHoverBorderColor: "#98a3e3" } },
};

const button = {
  autoInsertSpace: false,
  // antd's own icon leaves by an animation that may never end if it has just entered.
  loadingIcon: <span className="button-spinner" />,
};

export function AntdProvider({ children }: { children: ReactNode }) {
  const isDark = useIsDark();
  return (
    <ConfigProvider theme={isDark ? dark : light} locale={zhCN} button={button}>
      {children}
    </ConfigProvider>
  );
}
