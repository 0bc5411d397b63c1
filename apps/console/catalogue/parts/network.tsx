// Pages whose data are of different times, under the network bar.
import { useState } from "react";
import { useCall } from "../../src/kit/query.ts";
import { Button } from "../../src/ui/display/button.tsx";
import { sampleContract, workingList } from "../sample.ts";
import type { Parts } from "../state.ts";

function Rows({ page }: { page: number }) {
  const { data } = useCall(sampleContract.list, { query: { page, pageSize: 10 } });
  return <p>{data?.list[0]?.name ?? "正在加载…"}</p>;
}

function TwoPages() {
  const [page, setPage] = useState(1);
  return (
    <>
      <Button onClick={() => setPage(1)}>第一页</Button>
      <Button onClick={() => setPage(2)}>第二页</Button>
      <Rows key={page} page={page} />
    </>
  );
}

export const networkParts: Parts = {
  network: {
    "two-pages": { show: TwoPages, answers: [workingList] },
    "no-data": { show: () => <p>没有数据的页面</p> },
  },
};
