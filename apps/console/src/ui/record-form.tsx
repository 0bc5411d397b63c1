// A form that makes or changes one record: checks by the call's schema, keeps what was typed on errors.
import Alert from "antd/es/alert";
import Button from "antd/es/button";
import Form from "antd/es/form";
import { Fragment, type ReactElement, type ReactNode, useState } from "react";
import type { Static, TObject } from "typebox";
import { messageOf } from "../kit/feedback.ts";
import { useIsVisit } from "../kit/session.ts";
import { fieldProblem, isRequired } from "./field-rules.ts";
import "./record-form.css";

export interface Field {
  name: string;
  /** Where the form holds it, if not by its own name at the top. */
  under?: string;
  label: string;
  /** A control with `value` and `onChange`. */
  control: ReactElement;
  hint?: ReactNode;
  /** `checked` for a switch. */
  valueName?: string;
  /** What is wrong with a value beyond what its schema says, in words. */
  problem?: (value: unknown) => string | null;
  /** Begins a part of the form by this name. */
  section?: string;
  /** On a page: over both columns. */
  isWide?: true;
}

export interface RecordFormProps<Schema extends TObject> {
  schema: Schema;
  fields: readonly Field[];
  initial?: Partial<Static<Schema>>;
  submit: (values: Static<Schema>) => Promise<unknown>;
  submitText?: string;
  onDone: () => void;
  onCancel: () => void;
  /** True once something was typed that is not saved. */
  onDirty?: (isDirty: boolean) => void;
  /** Two columns where there is room. */
  isPage?: boolean;
  children?: ReactNode;
}

export function RecordForm<Schema extends TObject>(props: RecordFormProps<Schema>) {
  const { schema, fields, initial, submit, submitText = "保存", onDone, onCancel } = props;
  const [form] = Form.useForm<Record<string, unknown>>();
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const isVisit = useIsVisit();

  const send = async (values: Record<string, unknown>) => {
    setIsBusy(true);
    setFailure(null);
    try {
      // Every value was checked against the schema's own field just now.
      await submit(values as Static<Schema>);
      props.onDirty?.(false);
      onDone();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <Form
      form={form}
      layout="vertical"
      className={props.isPage ? "ui-form ui-form-page" : "ui-form"}
      initialValues={initial as Record<string, unknown>}
      requiredMark
      scrollToFirstError={{ focus: true, block: "center" }}
      onValuesChange={() => props.onDirty?.(true)}
      onFinish={(values) => void send(values)}
    >
      {props.children}
      {fields.map((field) => (
        <Fragment key={field.name}>
          {field.section && <h3 className="ui-form-section">{field.section}</h3>}
          <FormField schema={schema} field={field} />
        </Fragment>
      ))}
      <div className="ui-form-foot">
        {failure && <Alert type="error" showIcon role="alert" title={failure} />}
        <div className="ui-form-buttons">
          <Button disabled={isBusy} onClick={onCancel}>
            取消
          </Button>
          {!isVisit && (
            <Button type="primary" htmlType="submit" loading={isBusy}>
              {submitText}
            </Button>
          )}
        </div>
      </div>
    </Form>
  );
}

/** One field of a form, for forms that are more than a list of fields. */
export function FormField({ schema, field }: { schema: TObject; field: Field }) {
  const { name, label, control, hint, valueName } = field;
  const fieldSchema = schema.properties[name];
  const plainLabel = label.replace(/（.*）$/, "");
  return (
    <Form.Item
      name={field.under === undefined ? name : [field.under, name]}
      label={label}
      extra={hint}
      {...(field.isWide && { className: "ui-form-wide" })}
      {...(valueName && { valuePropName: valueName })}
      required={isRequired(schema, name)}
      rules={[
        {
          validator: (_, value: unknown) => {
            const isEmpty = value === undefined || value === null || value === "";
            if (isEmpty && isRequired(schema, name)) {
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
