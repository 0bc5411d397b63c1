// Frequent questions with a search, and the operator's phone.
import { useState } from "react";
import { usePlace } from "../kit/place.tsx";
import { useTexts } from "../kit/texts.tsx";
import { useCall } from "../kit/use-call.ts";
import { Field } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Chinese, Empty, Loading, Screen } from "../ui/parts.tsx";
import { RichText } from "./rich-text.tsx";

export function HelpPage() {
  const t = useTexts();
  const { data: place } = usePlace();
  const faq = useCall("faq", {});
  const [word, setWord] = useState("");
  const isFound = (text: string) => text.toLowerCase().includes(word.trim().toLowerCase());
  return (
    <Screen title={t("help.title")}>
      {place?.servicePhone && (
        <a className="card phone" href={`tel:${place.servicePhone}`}>
          <Icon name="phone" />
          <span>
            <strong>{t("help.call")}</strong>
            <span className="quiet">{place.servicePhone}</span>
          </span>
        </a>
      )}
      <Loading from={faq}>
        {(groups) => {
          const found = groups
            .map(({ category, questions }) => ({
              category,
              questions: questions.filter((each) => isFound(each.question + each.answer)),
            }))
            .filter(({ questions }) => questions.length > 0);
          return (
            <>
              {groups.length > 0 && (
                <Field label={t("help.search")} type="search" value={word} onChange={setWord} />
              )}
              {found.length === 0 && <Empty icon="help">{t("help.none")}</Empty>}
              {found.map(({ category, questions }) => (
                <section key={category} className="folds">
                  <h2>
                    <Chinese>{category}</Chinese>
                  </h2>
                  {questions.map(({ id, question, answer }) => (
                    <details key={id} className="card fold">
                      <summary>
                        <Chinese>{question}</Chinese>
                      </summary>
                      <RichText html={answer} />
                    </details>
                  ))}
                </section>
              ))}
            </>
          );
        }}
      </Loading>
    </Screen>
  );
}
