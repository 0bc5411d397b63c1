// Views of a page of the company's money, the choice between the company and one side of it, and what a side leaves out.
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { ReactNode } from "react";
import { ChoiceBar } from "../../ui/form/choice-bar.tsx";
import { ViewSwitch } from "../view-switch.tsx";
import { type SideChoice, useSideChoice } from "./page-side.ts";
import "./side-heading.css";

const choices = [
  ["ALL", "全部"],
  ["SINGLE", sideText.SINGLE],
  ["DOUBLE", sideText.DOUBLE],
] as const satisfies readonly (readonly [SideChoice, string])[];

interface SideHeadingProps {
  /** Said about a chosen side. */
  note?: string;
}

export function SideHeading({ note }: SideHeadingProps) {
  const { choice, choose } = useSideChoice();
  return (
    <CompanyHeading note={choice !== "ALL" && note}>
      <ChoiceBar label="单双面" choices={choices} chosen={choice} onChoose={choose} />
    </CompanyHeading>
  );
}

/** Heading of a page that has no sides, below the menu of either one. */
export function CompanyHeading({ note, children }: { note: ReactNode; children?: ReactNode }) {
  return (
    <div className="side-heading">
      <ViewSwitch />
      {children}
      {note && <p>{note}</p>}
    </div>
  );
}
