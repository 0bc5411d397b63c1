// Link from a third party's call to its business order, for accounts that may read those.
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import "../../../ui/display/basics.css";

export function BusinessOrderLink({ id }: { id: number | null }) {
  const maySee = usePermission("business-order:read");
  if (id === null) return <span className="ui-cell-none">—</span>;
  if (!maySee) return <>{id}</>;
  return (
    <Link className="ui-link" to={pathTo("/thirdPartApi/order", { orderId: id })}>
      {id}
    </Link>
  );
}
