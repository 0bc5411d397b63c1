// 使用帮助: the platform's help for console users.
import { faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import { groupByCategory } from "@cabinet/contract/messaging/faq/faq.rules.ts";
import Input from "antd/es/input";
import { useDeferredValue, useState } from "react";
import { Link } from "../../../kit/paths.ts";
import { useCall } from "../../../kit/query.ts";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { AnswerState, EmptyState } from "../../../ui/display/states.tsx";
import { RichTextView } from "../../../ui/rich-text/rich-text-view.tsx";
import "../../../ui/display/basics.css";
import "./faq.css";

export default function HelpPage() {
  const [text, setText] = useState("");
  const keyword = useDeferredValue(text.trim());
  const answer = useCall(faqContract.help, { query: { ...(keyword && { keyword }) } });
  const groups = groupByCategory(answer.data ?? []);
  return (
    <PageCard
      title="使用帮助"
      extra={
        <Link className="ui-link" to="/doc/manual" target="_blank">
          使用手册
        </Link>
      }
      className="ui-card-full"
    >
      <Input.Search
        className="faq-help-search"
        allowClear
        aria-label="搜索帮助"
        placeholder="搜索问题或回答"
        maxLength={60}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {!answer.data ? (
        <AnswerState answer={answer} />
      ) : groups.length === 0 ? (
        <EmptyState
          title={keyword ? "暂无符合条件的问题" : "暂无帮助内容"}
          hint={keyword ? "换一个词试试，或联系平台客服" : "平台发布后会显示在这里"}
        />
      ) : (
        <div className="faq-help">
          {groups.map(({ category, questions }) => (
            <section key={category}>
              <h2>{category}</h2>
              {questions.map(({ id, question, answer: html }) => (
                <details key={id} open={keyword !== "" && questions.length === 1}>
                  <summary>{question}</summary>
                  <div>
                    <RichTextView html={html} />
                  </div>
                </details>
              ))}
            </section>
          ))}
        </div>
      )}
    </PageCard>
  );
}
