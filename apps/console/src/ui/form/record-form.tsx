// Form that creates or edits one record: validates with the request schema, keeps the input on
// errors.

import {
  completeValues,
  fieldProblem,
  fitsSchema,
  isRequired,
} from "@cabinet/contract/kit/field.rules.ts";
import Alert from "antd/es/alert";
import Form from "antd/es/form";
import {
  Fragment,
  type ReactElement,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import type { Static, TObject } from "typebox";
import { isRequested } from "../../kit/errors.ts";
import { messageOf, toast } from "../../kit/feedback.ts";
import { useIsImpersonating } from "../../kit/session.ts";
import { Button } from "../display/button.tsx";
import { dropDraft, keepDraft, readDraft } from "./draft.ts";
import { RestoredNote } from "./restored-note.tsx";
import { RunningUploads, UPLOAD_RUNS } from "./running-uploads.ts";
import "./record-form.css";

export interface Field<Name extends string = string> {
  name: Name;
  /** Key of the value in the form, if it differs from the field's name. */
  under?: string;
  label: string;
  /** Control with `value` and `onChange`. */
  control: ReactElement;
  hint?: ReactNode;
  /** `checked` for a switch. */
  valueName?: string;
  /** Validation beyond the schema: describes the problem, or null. */
  problem?: (value: unknown) => string | null;
  /** Starts a section of the form with this title. */
  section?: string;
  /** Required wherever it is shown, although the schema has it as optional. */
  isRequired?: boolean;
  /** On a page: spans both columns. */
  isWide?: true;
}

type NameIn<Schema extends TObject> = Schema extends TObject
  ? keyof Schema["properties"] & string
  : never;

/** Field of a form with this schema. */
export type FieldOf<Schema extends TObject> = Field<NameIn<Schema>>;

export interface RecordFormProps<Schema extends TObject> {
  schema: Schema;
  fields: readonly FieldOf<Schema>[];
  initial?: Partial<Static<Schema>>;
  submit: (values: Static<Schema>) => Promise<unknown>;
  submitText?: string;
  isDanger?: boolean;
  /** Button before the usual one that submits in another way, also on Enter: 保存草稿. */
  also?: { text: string; submit: (values: Static<Schema>) => Promise<unknown> };
  onDone: () => void;
  onCancel: () => void;
  /** Called with the values at first and after each change: for fields that depend on others. */
  onValues?: (values: Partial<Static<Schema>>) => void;
  /** True while there is unsaved input. */
  onDirty?: (isDirty: boolean) => void;
  /** True while a save is under way. */
  onBusy?: (isBusy: boolean) => void;
  /** Uses two columns where they fit. */
  isPage?: boolean;
  /** Name of this form and record, under which unsaved input is kept. */
  draft?: string | undefined;
  children?: ReactNode;
}

export function RecordForm<Schema extends TObject>(props: RecordFormProps<Schema>) {
  const {
    schema,
    fields,
    initial = {},
    draft,
    submitText = "保存",
    also,
    onDone,
    onCancel,
  } = props;
  const [form] = Form.useForm<Record<string, unknown>>();
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const isImpersonating = useIsImpersonating();
  const pressed = useRef(props.submit);
  const isGone = useRef(false);
  const [restored, setRestored] = useState(() => (draft ? readDraft(draft, initial) : null));
  const [uploads] = useState({ count: 0 });
  const onDirty = useEffectEvent((isDirty: boolean) => props.onDirty?.(isDirty));
  const showValues = () => props.onValues?.(form.getFieldsValue(true));
  const showFirst = useEffectEvent(showValues);
  useEffect(() => showFirst(), []);
  useEffect(() => {
    if (restored) onDirty(true);
  }, [restored]);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  const setBusy = (busy: boolean) => {
    setIsBusy(busy);
    props.onBusy?.(busy);
  };
  const send = async (shown: Record<string, unknown>) => {
    if (uploads.count > 0) return setFailure(UPLOAD_RUNS);
    const focused = document.activeElement;
    setBusy(true);
    setFailure(null);
    const close = () => {
      if (draft) dropDraft(draft);
      if (isGone.current) return;
      props.onDirty?.(false);
      onDone();
    };
    const fail = (error: unknown) => {
      // Nobody sees the form any more.
      if (isGone.current) return toast.error(messageOf(error));
      setFailure(messageOf(error));
      // The fields were disabled meanwhile.
      setTimeout(() => focused instanceof HTMLElement && focused.focus());
    };
    try {
      const values = completeValues(schema, shown, form.getFieldsValue(true));
      if (!fitsSchema(schema, values)) throw new Error("填写的内容不完整，请检查后重试");
      await pressed.current(values);
      close();
    } catch (error) {
      if (!isRequested(error)) return fail(error);
      toast.info(messageOf(error));
      close();
    } finally {
      setBusy(false);
    }
  };

  const forget = () => {
    const former = Object.keys(restored?.values ?? {}).map((name) => [name, undefined]);
    form.setFieldsValue({ ...Object.fromEntries(former), ...initial });
    if (draft) dropDraft(draft);
    setRestored(null);
    showValues();
    props.onDirty?.(false);
  };

  return (
    <Form
      form={form}
      layout="vertical"
      className={props.isPage ? "ui-form ui-form-page" : "ui-form"}
      initialValues={{ ...initial, ...restored?.values }}
      requiredMark
      disabled={isBusy}
      scrollToFirstError={{ focus: true, block: "center" }}
      onValuesChange={() => {
        props.onDirty?.(true);
        showValues();
        if (draft) keepDraft(draft, schema, initial, form.getFieldsValue(true));
      }}
      onFinish={(shown) => void send(shown)}
    >
      {/* Text typed during a save would be lost, also in editors, which nothing else than `inert` stops. */}
      <fieldset className="ui-form-fields" disabled={isBusy} inert={isBusy}>
        {restored && <RestoredNote {...{ restored, fields }} onForget={forget} />}
        {props.children}
        <RunningUploads value={uploads}>
          {/* Drawn anew when a draft is given up: an editor reads its value only once. */}
          <Fragment key={String(restored !== null)}>
            {fields.map((field) => (
              <Fragment key={field.name}>
                {field.section && <h3 className="ui-form-section">{field.section}</h3>}
                <FormField schema={schema} field={field} />
              </Fragment>
            ))}
          </Fragment>
        </RunningUploads>
      </fieldset>
      <div className="ui-form-foot">
        {failure && <Alert type="error" showIcon role="alert" title={failure} />}
        <div className="ui-form-buttons">
          <Button disabled={isBusy} onClick={onCancel}>
            取消
          </Button>
          {!isImpersonating && (
            <>
              {also && (
                <Button
                  htmlType="submit"
                  disabled={isBusy}
                  onClick={() => {
                    pressed.current = also.submit;
                  }}
                >
                  {also.text}
                </Button>
              )}
              <Button
                type="primary"
                htmlType="submit"
                danger={props.isDanger ?? false}
                loading={isBusy}
                onClick={() => {
                  pressed.current = props.submit;
                }}
              >
                {submitText}
              </Button>
            </>
          )}
        </div>
      </div>
    </Form>
  );
}

interface FormFieldProps<Schema extends TObject> {
  schema: Schema;
  field: FieldOf<Schema>;
}

/** Single form field, for forms that are not just a list of fields. */
export function FormField<Schema extends TObject>(props: FormFieldProps<Schema>) {
  const schema: TObject = props.schema;
  const field: Field = props.field;
  const { name, label, control, hint, valueName } = field;
  const fieldSchema = schema.properties[name];
  const isNeeded = field.isRequired ?? isRequired(schema, name);
  const plainLabel = label.replace(/（.*）$/, "");
  return (
    <Form.Item
      name={field.under === undefined ? name : [field.under, name]}
      label={label}
      extra={hint}
      {...(field.isWide && { className: "ui-form-wide" })}
      {...(valueName && { valuePropName: valueName })}
      required={isNeeded}
      rules={[
        {
          validator: (_, value: unknown) => {
            const isEmpty = value === undefined || value === null || value === "";
            if (isEmpty && isNeeded) {
              return Promise.reject(new Error(`${plainLabel}不能为空`));
            }
            const problem =
              (fieldSchema ? fieldProblem(fieldSchema, plainLabel, value) : null) ??
              field.problem?.(value);
            return problem ? Promise.reject(new Error(problem)) : Promise.resolve();
          },
        },
      ]}
    >
      {control}
    </Form.Item>
  );
}
