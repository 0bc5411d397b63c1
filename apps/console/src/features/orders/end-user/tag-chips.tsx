// Coloured tags of an end user.
import type { TagMark } from "@cabinet/contract/orders/end-user/tag.contract.ts";
import "../../../ui/display/basics.css";
import "./end-user.css";

export function TagChip({ tag }: { tag: Pick<TagMark, "name" | "color"> }) {
  return (
    <span className="tag-chip" data-color={tag.color} title={tag.name}>
      {tag.name}
    </span>
  );
}

export interface TagChipsProps {
  tags: readonly TagMark[];
  /** Maximum number of tags shown, the rest as `+n`; absent: all. */
  most?: number;
}

export function TagChips({ tags, most = tags.length }: TagChipsProps) {
  if (tags.length === 0) return <span className="ui-cell-none">—</span>;
  const more = tags.slice(most);
  return (
    <span className="tag-chips" data-one-line={most < tags.length || undefined}>
      {tags.slice(0, most).map((tag) => (
        <TagChip key={tag.id} tag={tag} />
      ))}
      {more.length > 0 && (
        <span className="tag-more" title={more.map(({ name }) => name).join("、")}>
          +{more.length}
        </span>
      )}
    </span>
  );
}
