// Baseline for the console bench: a minimal React + antd page with sign-in and the same home.
import { ConfigProvider } from "antd";
import zhCN from "antd/locale/zh_CN";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import type { SignedIn } from "./api.tsx";
import { Home } from "./home.tsx";
import { SignIn } from "./sign-in.tsx";

function App() {
  const [session, setSession] = useState<SignedIn | null>(null);
  return (
    <ConfigProvider locale={zhCN} theme={{ token: { colorPrimary: "#596BC8" } }}>
      {session ? <Home session={session} /> : <SignIn onSignedIn={setSession} />}
    </ConfigProvider>
  );
}

createRoot(document.getElementById("root") ?? document.body).render(<App />);
