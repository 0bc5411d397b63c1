// Baseline for the console bench: a minimal React + antd page with sign-in, the same home and the device list.
import { ConfigProvider } from "antd";
import zhCN from "antd/locale/zh_CN";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import type { SignedIn } from "./api.tsx";
import { Home } from "./home.tsx";
import { SignIn } from "./sign-in.tsx";

/** Session of this tab, so that a reload shows the home. */
const KEPT = "lean-session";

function App() {
  const [session, setSession] = useState<SignedIn | null>(() =>
    JSON.parse(sessionStorage.getItem(KEPT) ?? "null"),
  );
  function keep(signedIn: SignedIn): void {
    sessionStorage.setItem(KEPT, JSON.stringify(signedIn));
    setSession(signedIn);
  }
  return (
    <ConfigProvider locale={zhCN} theme={{ token: { colorPrimary: "#596BC8" } }}>
      {session ? <Home session={session} /> : <SignIn onSignedIn={keep} />}
    </ConfigProvider>
  );
}

createRoot(document.getElementById("root") ?? document.body).render(<App />);
