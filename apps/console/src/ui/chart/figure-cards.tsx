// Figures side by side, each above its change or a note.
import type { ReactNode } from "react";
import "../display/basics.css";
import "./figure-cards.css";

export interface FigureCard {
  title: string;
  /** Explains how the figure is calculated. */
  meaning: string;
  /** Undefined while loading. */
  value: ReactNode;
  note?: ReactNode;
  tone?: "good" | "bad" | "even";
}

export function FigureCards({ label, figures }: { label: string; figures: readonly FigureCard[] }) {
  const isBusy = figures.some(({ value }) => value === undefined);
  return (
    <ul className="ui-figures" aria-label={label} aria-busy={isBusy}>
      {figures.map(({ title, meaning, value, note, tone = "even" }) => (
        <li key={title} title={meaning}>
          <span>{title}</span>
          {value === undefined ? (
            <>
              <i className="ui-skeleton" />
              <em> </em>
            </>
          ) : (
            <>
              <b>{value}</b>
              <em data-tone={tone}>{note ?? " "}</em>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
