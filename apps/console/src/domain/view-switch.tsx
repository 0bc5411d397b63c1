// Switches between the views of a page (`?view=`) listed in the route table; filters are not
// carried over.
import { matchedRoutes } from "@cabinet/contract/identity/access/route-entry.rules.ts";
import { routeTable } from "@cabinet/contract/identity/access/routes.rules.ts";
import { useLocation, useSearchParams } from "react-router";
import { useAccess } from "../kit/permission.ts";
import { ChoiceBar } from "../ui/form/choice-bar.tsx";
import "./view-switch.css";

export function ViewSwitch() {
  const { pathname } = useLocation();
  const [params, setParams] = useSearchParams();
  const hasAccess = useAccess();
  const page = matchedRoutes(routeTable, pathname).at(-1);
  const views = page?.views?.filter(
    ({ access, isUnlisted }) => !isUnlisted && (!access || hasAccess(access)),
  );
  if (!page || !views?.length) return null;
  const choices = [
    ["", page.viewLabel ?? page.title] as const,
    ...views.map(({ view, label, title }) => [view, label ?? title] as const),
  ];
  const labels = choices.map(([, label]) => label);
  return (
    <div className="ui-view-switch">
      <ChoiceBar
        label={`切换${labels.slice(0, -1).join("、")}与${labels.at(-1)}`}
        choices={choices}
        chosen={params.get("view") ?? ""}
        onChoose={(view) => setParams(view ? { view } : {})}
      />
    </div>
  );
}
