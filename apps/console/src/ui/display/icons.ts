// Built-in icons by name, as outlines on a 24 × 24 grid; menu entries refer to these names.

export const icons = {
  home: "M3.5 11 12 4l8.5 7M5.5 9.5V20h13V9.5M10 20v-5.5h4V20",
  screen: "M3.5 4.5h17v11.5h-17zM9 20h6M12 16v4M7.5 12.5l3-3 2 2 4-4",
  cabinet:
    "M4.5 3.5h15v17h-15zM12 3.5v17M4.5 9h7.5M4.5 14.5h7.5M12 12h7.5M9.5 6.3v.1M9.5 11.8v.1M14.5 8v.1M14.5 16.2v.1",
  single: "M6.5 3.5h11v17h-11zM6.5 9h11M6.5 14.5h11M14.5 6.3v.1M14.5 11.8v.1M14.5 17.4v.1",
  double:
    "M3.5 5h7v14h-7zM13.5 5h7v14h-7zM3.5 12h7M13.5 12h7M8 8.5v.1M8 15.5v.1M16 8.5v.1M16 15.5v.1",
  message: "M4 5h16v11.5H9.5L5.5 20v-3.5H4zM8 9h8M8 12.5h5",
  repair:
    "M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.7 1.7 2.7-2.7a4 4 0 0 1-5.4 4.9L8.5 19.2a1.9 1.9 0 0 1-2.7-2.7l7.3-7.3a4 4 0 0 1 1.4-2.7Z",
  app: "M7 3.5h10v17H7zM10.5 17.5h3M7 6.5h10",
  user: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM4.5 20a7.5 7.5 0 0 1 15 0",
  users:
    "M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7ZM2.5 19.5a6.5 6.5 0 0 1 13 0M15.5 5.3a3.5 3.5 0 0 1 0 6.4M17.5 14a6.5 6.5 0 0 1 4 5.5",
  tenant:
    "M4.5 20.5v-17h9v17M13.5 9.5h6v11M3 20.5h18M7.5 7.5h3M7.5 11.5h3M7.5 15.5h3M16.5 13v.1M16.5 16.5v.1",
  setting:
    "M12 8.8a3.2 3.2 0 1 1 0 6.4 3.2 3.2 0 0 1 0-6.4ZM10.3 3.5h3.4l.5 2.5 2.1 1.2 2.4-.8 1.7 2.9-1.9 1.7v2l1.9 1.7-1.7 2.9-2.4-.8-2.1 1.2-.5 2.5h-3.4l-.5-2.5-2.1-1.2-2.4.8-1.7-2.9L5.5 13v-2L3.6 9.3l1.7-2.9 2.4.8L9.8 6z",
  api: "M8.5 8 4.5 12l4 4M15.5 8l4 4-4 4M13.3 5.5l-2.6 13",
  notice: "M4 10v4h3.5L15 18.5v-13L7.5 10zM18 9.5a4 4 0 0 1 0 5M7.5 14l1.5 5h2.2",
  faq: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM9.5 9.7a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.1.9-1.1 1.8M12 16.8v.1",
  key: "M8 11a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM11 12.5l8.5-8.5M16 7.5l2.5 2.5",
  money: "M3.5 6.5h17v11h-17zM12 9.3a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4ZM6.5 12v.1M17.5 12v.1",
  chart: "M4 4v16h16M8 16v-4M12 16V8M16 16v-6",
  list: "M8.5 6h11.5M8.5 12h11.5M8.5 18h11.5M4.5 6v.1M4.5 12v.1M4.5 18v.1",
  file: "M6 3.5h8l4.5 4.5v12.5H6zM13.5 3.5V8.5h5M9 13h6M9 16.5h6",
  search: "M11 4.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13ZM16 16l4.5 4.5",
  refresh: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3.5v4h-4",
  columns: "M4 6h9M17 6h3M15 4v4M4 12h3M11 12h9M9 10v4M4 18h9M17 18h3M15 16v4",
  bookmark: "M6.5 4h11v16.5L12 16l-5.5 4.5z",
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 9.5h4M4 14.5h4M16 9.5h4M16 14.5h4",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  plus: "M12 5v14M5 12h14",
} as const;

export type IconName = keyof typeof icons;

/** True for an image URL that the content security policy allows: same-origin path or data URL. */
export function isIconAddress(name: string): boolean {
  return /^(?:\/[^/]|data:image\/)/.test(name);
}

export function isIconName(name: string): name is IconName {
  return Object.hasOwn(icons, name);
}
