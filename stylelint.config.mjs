// Style rules of the console: colours, type, radii and spacing come from tokens.css alone.
import { readFileSync } from "node:fs";

const folder = new URL("apps/console/src/", import.meta.url);
const tokens = readFileSync(new URL("tokens.css", folder), "utf8");
const breakpoints = [...tokens.matchAll(/--breakpoint-\w+: (\w+);/g)].map(([, value]) => value);

/** Properties of one element's geometry, for which a scale has no use. */
const GEOMETRY = [
  "/^(min-|max-)?(width|height|inline-size|block-size)$/",
  "/^(inset(-.*)?|top|right|bottom|left|translate|perspective)$/",
  "/^(flex|flex-basis|line-height|background)$/",
  "/^grid-template/",
  // Lines of 1 to 3 px and their offsets.
  "/^(border|outline)(?!.*radius)/",
  "/^(border-spacing|text-underline-offset|box-shadow)$/",
  // Variables that hold geometry.
  "/^--/",
];

/** @type {import("stylelint").Config} */
export default {
  rules: {
    "color-no-hex": true,
    "color-named": "never",
    "function-disallowed-list": ["/^(rgb|hsl)a?$/", "hwb", "/^(ok)?(lab|lch)$/", "light-dark"],
    "unit-disallowed-list": [
      ["px"],
      { ignoreProperties: { px: GEOMETRY }, ignoreMediaFeatureNames: { px: ["width", "height"] } },
    ],
    "media-feature-name-value-allowed-list": { width: breakpoints },
    "media-feature-name-disallowed-list": ["min-width", "max-width"],
  },
  overrides: [
    {
      files: ["**/tokens.css"],
      rules: {
        "color-no-hex": null,
        "function-disallowed-list": null,
        "unit-disallowed-list": null,
      },
    },
  ],
};
