// Sign-in form of the lean page: account, password and the console's own captcha solver.
import { Alert, Button, Card, Flex, Form, Input, Typography } from "antd";
import { useEffect, useState } from "react";
import { call, type SignedIn } from "./api.tsx";

function solveCaptcha(challenge: unknown): Promise<string> {
  const worker = new Worker(
    new URL("../../apps/console/src/features/identity/auth/captcha.worker.ts", import.meta.url),
    { type: "module" },
  );
  return new Promise((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<string>) => resolve(data);
    worker.postMessage(challenge);
  });
}

export function SignIn({ onSignedIn }: { onSignedIn: (session: SignedIn) => void }) {
  const [captcha, setCaptcha] = useState<string>();
  const [error, setError] = useState<string>();

  useEffect(() => {
    call("/auth/captcha").then(solveCaptcha).then(setCaptcha);
  }, []);

  async function signIn(values: { username: string; password: string }): Promise<void> {
    try {
      const session = await call<SignedIn>("/auth/token/admin/login", undefined, {
        method: "POST",
        headers: captcha ? { "captcha-verification": captcha } : {},
        body: new URLSearchParams(values),
      });
      onSignedIn(session);
    } catch (failure) {
      setError((failure as Error).message);
    }
  }

  return (
    <Flex align="center" justify="center" style={{ minHeight: "100vh" }}>
      <Card title="登录" style={{ width: 360 }}>
        <Form layout="vertical" onFinish={signIn}>
          <Form.Item label="账号" name="username" rules={[{ required: true }]}>
            <Input autoComplete="username" autoFocus />
          </Form.Item>
          <Form.Item label="密码" name="password" rules={[{ required: true }]}>
            <Input.Password autoComplete="current-password" />
          </Form.Item>
          {error && <Alert type="error" title={error} />}
          <Button type="primary" htmlType="submit" block>
            登录
          </Button>
          <Typography.Text data-state={captcha ? "passed" : "solving"} type="secondary">
            {captcha ? "人机验证已通过" : "正在进行人机验证…"}
          </Typography.Text>
        </Form>
      </Card>
    </Flex>
  );
}
