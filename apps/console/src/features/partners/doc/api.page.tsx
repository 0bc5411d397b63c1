// /doc/api: reference of every call, from the document the server generates from its contracts.
import { errorTable } from "@cabinet/contract/kit/errors.ts";
import {
  isOpenError,
  openErrors,
  openStatus,
} from "@cabinet/contract/partners/open-api/open-error.rules.ts";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useDeferredValue, useEffect, useMemo, useState } from "react";
import { useLocation } from "react-router";
import {
  type ApiAudience,
  type ApiCall,
  type ApiDocument,
  type ApiGroup,
  type Field,
  readDocument,
  searchCalls,
} from "./api.rules.ts";
import { Samples } from "./api-samples.tsx";
import { DocFrame } from "./doc-frame.tsx";
import { DocOutline } from "./doc-outline.tsx";
import "./doc-page.css";
import "./doc-search.css";
import "./api.css";

const ERRORS = "errors";
/** Hash of `docUrl` in refusals: `#error.NOT_FOUND`. */
const ERROR_HASH = /^error\.([A-Z_0-9]+)$/;

/** Documents of the callers who have no console account, and of the console with them. */
const publicFiles = ["partner", "app", "device"].map((caller) => `/api/openapi/${caller}.json`);
const allFiles = ["/api/openapi.json"];

async function loadDocument(file: string): Promise<ApiAudience[]> {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return readDocument((await response.json()) as ApiDocument);
}

/** `/doc/api` has every call, for accounts; `/doc/sdk?view=api`, which needs none, all but the console's. */
export default function ApiPage() {
  const files = useLocation().pathname.toLowerCase().startsWith("/doc/api")
    ? allFiles
    : publicFiles;
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["api-document", files],
    queryFn: async () => (await Promise.all(files.map(loadDocument))).flat(),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { toasts: true },
  });
  const [typed, setTyped] = useState("");
  const wanted = useDeferredValue(typed);
  const audiences = data ?? [];
  const hits = useMemo(() => searchCalls(data ?? [], wanted), [data, wanted]);
  const current = useAddress(audiences);
  return (
    <DocFrame
      search={
        <search className="doc-search">
          <input
            type="search"
            aria-label="查找调用"
            placeholder="查找调用：名称、路径"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </search>
      }
      outline={<Outline audiences={audiences} current={current} onChoose={() => setTyped("")} />}
    >
      <h1 className="doc-title">接口参考</h1>
      <p className="doc-lead">
        由与服务器同一份契约生成：这里写着的，就是服务器接受和返回的。签名与示例见
        <a href="/doc/sdk">接入文档</a>。
      </p>
      {error ? (
        <div className="api-empty" role="alert">
          <p>接口参考加载失败，请检查网络后重试。</p>
          <button
            type="button"
            className="shell-button"
            disabled={isFetching}
            onClick={() => refetch()}
          >
            重试
          </button>
        </div>
      ) : !data ? (
        <p className="api-empty" role="status" aria-busy="true">
          正在加载…
        </p>
      ) : wanted.trim() ? (
        <Hits calls={hits} />
      ) : current === ERRORS ? (
        <Errors />
      ) : (
        <Group group={groupOf(audiences, current)} />
      )}
    </DocFrame>
  );
}

const groupOf = (audiences: ApiAudience[], key: string) =>
  audiences
    .flatMap(({ title, groups }) => groups.map((group) => ({ key: keyOf(title, group), group })))
    .find((each) => each.key === key)?.group;

/** Group key; includes the audience because a noun may have calls for several audiences. */
const keyOf = (audience: string, { noun }: ApiGroup) =>
  audience === "控制台接口" ? noun : `${audience}-${noun}`;

/** Follows the URL hash: `#order` is a group, `#order.list` one of its calls. */
function useAddress(audiences: ApiAudience[]): string {
  const { hash } = useLocation();
  const wanted = decodeURIComponent(hash.slice(1));
  const all = audiences.flatMap(({ title, groups }) =>
    groups.map((group) => ({ key: keyOf(title, group), group })),
  );
  const isCall = all.find(({ group }) => group.calls.some(({ id }) => id === wanted));
  const isError = ERROR_HASH.test(wanted);
  const isShown = isCall !== undefined || (isError && all.length > 0);
  useEffect(() => {
    if (isShown) document.getElementById(wanted)?.scrollIntoView();
    else window.scrollTo(0, 0);
  }, [wanted, isShown]);
  if (isError) return ERRORS;
  if (wanted === ERRORS || all.some(({ key }) => key === wanted)) return wanted;
  return isCall?.key ?? all[0]?.key ?? "";
}

function Outline({
  audiences,
  current,
  onChoose,
}: {
  audiences: ApiAudience[];
  current: string;
  onChoose: () => void;
}) {
  return (
    <DocOutline>
      {(fold) => {
        const link = (key: string, text: string, count?: number) => (
          <li key={key}>
            <a
              href={`#${key}`}
              aria-current={key === current ? "location" : undefined}
              onClick={() => {
                onChoose();
                fold();
              }}
            >
              {text}
              <small>{count}</small>
            </a>
          </li>
        );
        return (
          <div className="api-outline">
            {audiences.map(({ title, groups }) => (
              <Fragment key={title}>
                <p className="api-audience">{title}</p>
                <ol>
                  {groups.map((group) =>
                    link(keyOf(title, group), group.title, group.calls.length),
                  )}
                </ol>
              </Fragment>
            ))}
            <p className="api-audience">通用</p>
            <ol>{link(ERRORS, "错误代码")}</ol>
          </div>
        );
      }}
    </DocOutline>
  );
}

function Hits({ calls }: { calls: ApiCall[] }) {
  return (
    <section className="api-group" aria-label="查找结果">
      <p role="status">{calls.length === 0 ? "没有找到，请换一个词" : `${calls.length} 个调用`}</p>
      {calls.slice(0, 40).map((call) => (
        <Call key={call.id} call={call} isOpen={calls.length === 1} />
      ))}
    </section>
  );
}

function Group({ group }: { group: ApiGroup | undefined }) {
  if (!group) return null;
  return (
    <section className="api-group">
      <h2>{group.title}</h2>
      {group.calls.map((call) => (
        <Call key={call.id} call={call} isOpen={group.calls.length <= 3} />
      ))}
    </section>
  );
}

function Call({ call, isOpen }: { call: ApiCall; isOpen: boolean }) {
  const { hash } = useLocation();
  const isAddressed = decodeURIComponent(hash.slice(1)) === call.id;
  return (
    <details id={call.id} className="api-call" open={isOpen || isAddressed}>
      <summary>
        <span className="api-method" data-method={call.method}>
          {call.method}
        </span>
        <code>{call.path}</code>
        <span className="api-summary">{call.summary}</span>
      </summary>
      <p className="api-access">
        {call.access}
        <a href={`#${call.id}`}>本调用的链接</a>
      </p>
      <Fields title="参数" fields={call.parameters} />
      {call.bodyType && <Fields title={`正文 ${call.bodyType}`} fields={call.body} />}
      {call.isFile ? <p className="api-none">返回文件本身。</p> : null}
      {!call.isFile && call.reply.length === 0 ? (
        <p className="api-none">成功时 data 为空。</p>
      ) : (
        <Fields title="返回的 data" fields={call.reply} />
      )}
      {call.sample && <Samples request={call.sample} />}
    </details>
  );
}

function Fields({ title, fields }: { title: string; fields: Field[] }) {
  if (fields.length === 0) return null;
  return (
    <>
      <h3 className="api-part">{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus and scroll the table. */}
      <section className="doc-table" aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>名称</th>
              <th>类型</th>
              <th>必有</th>
              <th>说明</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ name, depth, type, isRequired, note }, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order of a call's fields is fixed.
              <tr key={row}>
                <td>
                  <code className="api-field" data-depth={depth}>
                    {name}
                  </code>
                </td>
                <td className="api-type">{type}</td>
                <td className="api-required">{isRequired ? "是" : "否"}</td>
                <td className="api-note">{note}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function Errors() {
  return (
    <section className="api-group">
      <h2>错误代码</h2>
      <h3 className="api-part">开放接口</h3>
      <p>代码不变，文字会改进。HTTP 状态码区分大类。</p>
      <ErrorTable
        rows={Object.entries(openErrors)
          .map(([code, advice]) => {
            const known = code as keyof typeof openErrors;
            return [String(openStatus(known)), code, errorTable[known].text, advice];
          })
          .sort(([one = ""], [other = ""]) => one.localeCompare(other))}
        heads={["HTTP", "errCode", "文字", "怎么办"]}
      />
      <h3 className="api-part">控制台与小程序接口</h3>
      <p>
        上面的代码也会出现；业务上的拒绝是 HTTP 200 与 code 1，errMsg
        直接给人看；登录、权限与系统错误用 HTTP 状态码。花括号里的内容随情况而变。
      </p>
      <ErrorTable
        rows={Object.entries(errorTable)
          .filter(([code]) => !isOpenError(code))
          .map(([code, { status, text }]) => [String(status), code, text])}
        heads={["HTTP", "代码", "文字"]}
      />
    </section>
  );
}

function ErrorTable({ heads, rows }: { heads: string[]; rows: string[][] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus and scroll the table.
    <section className="doc-table" aria-label="错误代码" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr key={cells[1]} id={`error.${cells[1]}`} className="api-error">
              {cells.map((cell, at) => (
                <td key={heads[at]}>{at === 1 ? <code>{cell}</code> : cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
