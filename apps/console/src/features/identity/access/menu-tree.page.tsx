// 权限列表: the menu tree, whose entries roles grant.
import { MenuWidget } from "../../../domain/menu/menu-widget.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";

export default function MenuTreePage() {
  return (
    <PageCard className="ui-card-full">
      <MenuWidget />
    </PageCard>
  );
}
