// Index of the catalogue: all states by part, and a frame that shows one in a chosen width and theme.
import { useState } from "react";
import { toggleTheme, useIsDark } from "../src/kit/theme.ts";
import type { Parts } from "./state.ts";

const WIDTHS = ["100%", "390px"] as const;

export function Index({ parts }: { parts: Parts }) {
  const [path, setPath] = useState("");
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>("100%");
  const isDark = useIsDark();
  return (
    <div className="catalogue">
      <nav aria-label="Parts">
        <button type="button" onClick={toggleTheme}>
          {isDark ? "Light" : "Dark"}
        </button>
        {WIDTHS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={width === each}
            onClick={() => setWidth(each)}
          >
            {each}
          </button>
        ))}
        {Object.entries(parts).map(([part, states]) => (
          <section key={part}>
            <h2>{part}</h2>
            {Object.keys(states).map((name) => (
              <a
                key={name}
                href={`/${part}/${name}`}
                aria-current={path === `/${part}/${name}`}
                onClick={(event) => {
                  event.preventDefault();
                  setPath(`/${part}/${name}`);
                }}
              >
                {name}
              </a>
            ))}
          </section>
        ))}
      </nav>
      {/* A new frame for each theme: a page reads the stored theme when it loads. */}
      {path && <iframe key={`${path} ${isDark}`} src={path} title={path} style={{ width }} />}
    </div>
  );
}
