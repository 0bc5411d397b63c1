// 权限列表: the menu tree itself, of which roles grant parts.
import { MenuWidget } from "../../ui/menu-widget.tsx";
import { PageCard } from "../../ui/page-card.tsx";

export default function MenuTreePage() {
  return (
    <PageCard className="ui-card-full">
      <MenuWidget />
    </PageCard>
  );
}
