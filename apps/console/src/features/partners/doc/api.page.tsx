// /doc/api: reference of every call, from the document the server generates from its contracts.
import type { Caller } from "@cabinet/contract/kit/endpoint.ts";
import { errorTable } from "@cabinet/contract/kit/errors.ts";
import {
  isOpenError,
  openErrors,
  openErrorsEnglish,
  openStatus,
} from "@cabinet/contract/partners/open-api/open-error.rules.ts";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useDeferredValue, useEffect, useMemo, useState } from "react";
import { useLocation } from "react-router";
import { type DocLanguage, docLanguageOf } from "../../../kit/doc-language.ts";
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
import { type ApiTexts, apiTexts } from "./api-texts.ts";
import { apiWords } from "./api-words.rules.ts";
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

async function loadDocument(file: string, language: DocLanguage): Promise<ApiAudience[]> {
  const response = await fetch(file);
  // METRICS_LISTEN keeps the whole document on another listener.
  if (response.status === 404 && allFiles.includes(file)) {
    return loadDocuments(publicFiles, language);
  }
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return readDocument((await response.json()) as ApiDocument, apiWords[language]);
}

async function loadDocuments(files: string[], language: DocLanguage): Promise<ApiAudience[]> {
  return (await Promise.all(files.map((file) => loadDocument(file, language)))).flat();
}

/** `/doc/api` has every call, for accounts; `/doc/sdk?view=api`, which needs none, all but the console's. */
export default function ApiPage() {
  const { pathname, search } = useLocation();
  const isWhole = pathname.toLowerCase().startsWith("/doc/api");
  const language = isWhole ? "zh" : docLanguageOf(search);
  const texts = apiTexts[language];
  const files = isWhole
    ? allFiles
    : publicFiles.map((file) => (language === "en" ? `${file}?lang=en` : file));
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["api-document", files],
    queryFn: () => loadDocuments(files, language),
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
      language={language}
      search={
        <search className="doc-search">
          <input
            type="search"
            aria-label={texts.search}
            placeholder={texts.searchHint}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </search>
      }
      outline={
        <Outline
          language={language}
          audiences={audiences}
          current={current}
          onChoose={() => setTyped("")}
        />
      }
    >
      <h1 className="doc-title">{texts.title}</h1>
      <p className="doc-lead">
        {texts.lead}
        <a href={language === "en" ? "/doc/sdk?lang=en" : "/doc/sdk"}>{texts.guide}</a>
        {texts.stop}
      </p>
      {error ? (
        <div className="api-empty" role="alert">
          <p>{texts.failed}</p>
          <button
            type="button"
            className="shell-button"
            disabled={isFetching}
            onClick={() => refetch()}
          >
            {texts.retry}
          </button>
        </div>
      ) : !data ? (
        <p className="api-empty" role="status" aria-busy="true">
          {texts.loading}
        </p>
      ) : wanted.trim() ? (
        <Hits calls={hits} texts={texts} />
      ) : current === ERRORS ? (
        <Errors language={language} />
      ) : (
        <Group group={groupOf(audiences, current)} texts={texts} />
      )}
    </DocFrame>
  );
}

const groupOf = (audiences: ApiAudience[], key: string) =>
  audiences
    .flatMap(({ caller, groups }) => groups.map((group) => ({ key: keyOf(caller, group), group })))
    .find((each) => each.key === key)?.group;

/** Group key; includes the audience because a noun may have calls for several audiences. */
const keyOf = (caller: Caller, { noun }: ApiGroup) =>
  caller === "console" ? noun : `${caller}-${noun}`;

/** Follows the URL hash: `#order` is a group, `#order.list` one of its calls. */
function useAddress(audiences: ApiAudience[]): string {
  const { hash } = useLocation();
  const wanted = decodeURIComponent(hash.slice(1));
  const all = audiences.flatMap(({ caller, groups }) =>
    groups.map((group) => ({ key: keyOf(caller, group), group })),
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
  language,
  audiences,
  current,
  onChoose,
}: {
  language: DocLanguage;
  audiences: ApiAudience[];
  current: string;
  onChoose: () => void;
}) {
  return (
    <DocOutline language={language}>
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
            {audiences.map(({ caller, title, groups }) => (
              <Fragment key={caller}>
                <p className="api-audience">{title}</p>
                <ol>
                  {groups.map((group) =>
                    link(keyOf(caller, group), group.title, group.calls.length),
                  )}
                </ol>
              </Fragment>
            ))}
            <p className="api-audience">{apiTexts[language].common}</p>
            <ol>{link(ERRORS, apiTexts[language].errors)}</ol>
          </div>
        );
      }}
    </DocOutline>
  );
}

function Hits({ calls, texts }: { calls: ApiCall[]; texts: ApiTexts }) {
  return (
    <section className="api-group" aria-label={texts.results}>
      <p role="status">{calls.length === 0 ? texts.nothing : texts.hits(calls.length)}</p>
      {calls.slice(0, 40).map((call) => (
        <Call key={call.id} call={call} texts={texts} isOpen={calls.length === 1} />
      ))}
    </section>
  );
}

function Group({ group, texts }: { group: ApiGroup | undefined; texts: ApiTexts }) {
  if (!group) return null;
  return (
    <section className="api-group">
      <h2>{group.title}</h2>
      {group.calls.map((call) => (
        <Call key={call.id} call={call} texts={texts} isOpen={group.calls.length <= 3} />
      ))}
    </section>
  );
}

function Call({ call, texts, isOpen }: { call: ApiCall; texts: ApiTexts; isOpen: boolean }) {
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
        <a href={`#${call.id}`}>{texts.link}</a>
      </p>
      <Fields title={texts.parameters} fields={call.parameters} texts={texts} />
      {call.bodyType && (
        <Fields title={`${texts.body} ${call.bodyType}`} fields={call.body} texts={texts} />
      )}
      {call.isFile ? <p className="api-none">{texts.file}</p> : null}
      {!call.isFile && call.reply.length === 0 ? (
        <p className="api-none">{texts.noData}</p>
      ) : (
        <Fields title={texts.reply} fields={call.reply} texts={texts} />
      )}
      {call.sample && <Samples request={call.sample} texts={texts} />}
    </details>
  );
}

function Fields({ title, fields, texts }: { title: string; fields: Field[]; texts: ApiTexts }) {
  if (fields.length === 0) return null;
  return (
    <>
      <h3 className="api-part">{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus and scroll the table. */}
      <section className="doc-table" aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {texts.columns.map((column) => (
                <th key={column}>{column}</th>
              ))}
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
                <td className="api-required">{isRequired ? texts.yes : texts.no}</td>
                <td className="api-note">{note}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function Errors({ language }: { language: DocLanguage }) {
  const texts = apiTexts[language];
  const advice = language === "en" ? openErrorsEnglish : openErrors;
  return (
    <section className="api-group">
      <h2>{texts.errors}</h2>
      <h3 className="api-part">{texts.openErrors}</h3>
      <p>{texts.openErrorsNote}</p>
      <ErrorTable
        title={texts.errors}
        rows={Object.entries(advice)
          .map(([code, remedy]) => {
            const known = code as keyof typeof openErrors;
            return [String(openStatus(known)), code, errorTable[known].text, remedy];
          })
          .sort(([one = ""], [other = ""]) => one.localeCompare(other))}
        heads={["HTTP", "errCode", "errMsg", texts.remedy]}
      />
      <h3 className="api-part">{texts.otherErrors}</h3>
      <p>{texts.otherErrorsNote}</p>
      <ErrorTable
        title={texts.errors}
        rows={Object.entries(errorTable)
          .filter(([code]) => !isOpenError(code))
          .map(([code, { status, text }]) => [String(status), code, text])}
        heads={["HTTP", "errCode", "errMsg"]}
      />
    </section>
  );
}

function ErrorTable({ title, heads, rows }: { title: string; heads: string[]; rows: string[][] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus and scroll the table.
    <section className="doc-table" aria-label={title} tabIndex={0}>
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
