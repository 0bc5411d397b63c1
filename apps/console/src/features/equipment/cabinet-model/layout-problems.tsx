// List of a layout's problems; a click selects the door.
import type { LayoutProblem } from "@cabinet/contract/equipment/cabinet-model/layout.rules.ts";

const MOST_SHOWN = 6;

interface LayoutProblemsProps {
  problems: readonly LayoutProblem[];
  /** Called with the index of the cell. */
  onShow: (index: number) => void;
}

export function LayoutProblems({ problems, onShow }: LayoutProblemsProps) {
  return (
    <div role="status" className="layout-problems" data-none={problems.length === 0}>
      {problems.length > 0 && (
        <>
          <b>有 {problems.length} 处需要修正</b>
          <ul>
            {problems.slice(0, MOST_SHOWN).map(({ index, kind, text }) => (
              <li key={`${index} ${kind}`}>
                {index === null ? (
                  text
                ) : (
                  <button type="button" className="ui-link" onClick={() => onShow(index)}>
                    {text}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
