// Pagination control of every list (specification §2, §5, §9).

import {
  hasPrevious,
  pageFromInput,
  pageSizeLabel,
  stripNonDigits,
  totalText,
} from "@cabinet/contract/kit/pagination.rules.ts";
import { PAGE_SIZES } from "@cabinet/contract/kit/pagination.ts";
import { type FormEvent, useState } from "react";
import { Button } from "../display/button.tsx";
import { TextInput } from "../form/text-input.tsx";
import { LightSelect } from "../popup/light-select.tsx";
import "../display/basics.css";
import "./pagination.css";

const sizeOptions = PAGE_SIZES.map((size) => ({ value: String(size), label: pageSizeLabel(size) }));

export interface PaginationProps {
  page: number;
  pageSize: number;
  /** Undefined while unknown. */
  total?: number;
  isTotalCapped?: boolean;
  /** The total is of other filters. */
  isOther?: boolean;
  onPage: (page: number) => void;
  onPageSize: (pageSize: number) => void;
}

export function Pagination(props: PaginationProps) {
  const { page, pageSize, total, isTotalCapped, isOther, onPage, onPageSize } = props;
  const [typed, setTyped] = useState("");
  const target = pageFromInput(typed);

  const goToTyped = (event: FormEvent) => {
    event.preventDefault();
    if (target === null) return;
    setTyped("");
    onPage(target);
  };

  return (
    <nav className="ui-pagination" aria-label="分页">
      <span className="ui-pagination-total" data-other={isOther}>
        {total !== undefined && totalText(total, isTotalCapped)}
      </span>
      <LightSelect
        className="ui-pagination-size"
        label="每页条数"
        value={String(pageSize)}
        options={sizeOptions}
        onChange={(size) => onPageSize(Number(size))}
      />
      <span className="ui-pagination-step">
        <Button disabled={!hasPrevious(page)} onClick={() => onPage(page - 1)}>
          上一页
        </Button>
        <span className="ui-pagination-current" aria-current="page">
          {page}
        </span>
        <Button onClick={() => onPage(page + 1)}>下一页</Button>
      </span>
      <form className="ui-pagination-goto" onSubmit={goToTyped}>
        <span>前往第</span>
        <TextInput
          aria-label="页码"
          inputMode="numeric"
          maxLength={7}
          value={typed}
          onChange={(text) => setTyped(stripNonDigits(text))}
        />
        <span>页</span>
        <Button htmlType="submit" disabled={target === null}>
          前往
        </Button>
      </form>
    </nav>
  );
}
