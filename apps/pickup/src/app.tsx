// Shell of the page: header, navigation, the screen of the address, and the way back to an open door.
import type { ReactNode } from "react";
import { Link, Redirect, Route, Router, Switch, useLocation, useSearch } from "wouter";
import { AccountPage } from "./account/account.page.tsx";
import { ClosePage } from "./account/close.page.tsx";
import { Consented, LEGAL_KINDS, LegalPage } from "./account/legal.tsx";
import { SignInPage } from "./account/sign-in.page.tsx";
import { CabinetPage } from "./cabinet/cabinet.page.tsx";
import { HomePage } from "./cabinet/home.page.tsx";
import { DoorPage } from "./door/door.page.tsx";
import { useIntention } from "./door/intention.ts";
import { PickupPage } from "./door/pickup.page.tsx";
import { StorePage } from "./door/store.page.tsx";
import { replayed } from "./kit/once-key.ts";
import { PlaceProvider, usePlace } from "./kit/place.tsx";
import { useSession } from "./kit/session.ts";
import { switchLanguage, useLanguage, useTexts } from "./kit/texts.tsx";
import { ParcelPage } from "./parcels/parcel.page.tsx";
import { ParcelsPage } from "./parcels/parcels.page.tsx";
import { HelpPage } from "./service/help.page.tsx";
import { NoticesPage } from "./service/notices.page.tsx";
import { ReportPage } from "./service/report.page.tsx";
import { Icon, type IconName } from "./ui/icon.tsx";
import { Button, Message, Screen } from "./ui/parts.tsx";
import { CardsPage } from "./wallet/cards.page.tsx";
import { WalletPage } from "./wallet/wallet.page.tsx";

export function App() {
  return (
    <Router base="/m">
      <PlaceProvider>
        <Header />
        <OpenDoorBar />
        <ReplayedNotice />
        <Screens />
        <Tabs />
      </PlaceProvider>
    </Router>
  );
}

function Screens() {
  const t = useTexts();
  return (
    <Switch>
      <Route path="/">
        <HomePage />
      </Route>
      <Route path="/t/:code">
        <HomePage />
      </Route>
      <Route path="/c/:sn">{({ sn }) => <CabinetPage sn={sn.toUpperCase()} />}</Route>
      <Route path="/c/:sn/pickup">{({ sn }) => <PickupPage sn={sn.toUpperCase()} />}</Route>
      <Route path="/c/:sn/store">
        {({ sn }) => (
          <SignedIn>
            <Consented back={`/c/${sn}`}>
              <StorePage sn={sn.toUpperCase()} />
            </Consented>
          </SignedIn>
        )}
      </Route>
      <Route path="/door">
        <DoorPage />
      </Route>
      <Route path="/sign-in">
        <SignInPage />
      </Route>
      <Route path="/me">
        <AccountPage />
      </Route>
      {LEGAL_KINDS.map((kind) => (
        <Route key={kind} path={`/legal/${kind}`}>
          <LegalPage kind={kind} />
        </Route>
      ))}
      <Route path="/close">
        <ClosePage />
      </Route>
      <Route path="/parcels">
        <SignedIn>
          <ParcelsPage />
        </SignedIn>
      </Route>
      <Route path="/parcels/:id">
        {({ id }) => (
          <SignedIn>
            <ParcelPage id={Number(id)} />
          </SignedIn>
        )}
      </Route>
      <Route path="/wallet">
        <SignedIn>
          <WalletPage />
        </SignedIn>
      </Route>
      <Route path="/cards">
        <SignedIn>
          <CardsPage />
        </SignedIn>
      </Route>
      <Route path="/notices">
        <SignedIn>
          <NoticesPage />
        </SignedIn>
      </Route>
      <Route path="/help">
        <SignedIn>
          <HelpPage />
        </SignedIn>
      </Route>
      <Route path="/report">
        <SignedIn>
          <ReportPage />
        </SignedIn>
      </Route>
      <Route>
        <Screen title={t("missing.title")} back="/">
          <Message tone="info">{t("missing.note")}</Message>
        </Screen>
      </Route>
    </Switch>
  );
}

/** Screens for signed-in people; others sign in and come back. */
function SignedIn({ children }: { children: ReactNode }) {
  const session = useSession();
  const { isEntered, isUnknown, failure } = usePlace();
  const [path] = useLocation();
  const search = useSearch();
  if (isUnknown || failure) return <Redirect href="/" replace />;
  if (!isEntered) {
    return (
      <main className="screen">
        <div className="skeleton" />
      </main>
    );
  }
  if (session) return children;
  const to = encodeURIComponent(search ? `${path}?${search}` : path);
  return <Redirect href={`/sign-in?to=${to}`} replace />;
}

function Header() {
  const t = useTexts();
  const language = useLanguage();
  const { data, isUnknown } = usePlace();
  return (
    <header className="header">
      {data ? (
        <Link href={data.cabinet ? `/c/${data.cabinet.sn}` : "/"} className="brand">
          {data.logo ? <img src={data.logo} alt="" /> : <Icon name="store" />}
          <span lang="zh-CN">{data.tenantName}</span>
        </Link>
      ) : (
        <span className="brand">
          <Icon name="store" />
          {isUnknown && t("app")}
        </span>
      )}
      <button
        type="button"
        className="language"
        lang={language === "zh" ? "en" : "zh-CN"}
        onClick={switchLanguage}
      >
        {language === "zh" ? "English" : "中文"}
      </button>
    </header>
  );
}

/** The way back to a door whose goods are not in or out yet. */
function OpenDoorBar() {
  const t = useTexts();
  const intention = useIntention();
  const [path] = useLocation();
  const isBeingSent = /\/(store|pickup)$/.test(path) || path.startsWith("/parcels/");
  if (!intention || intention.isOver || intention.refusal || path === "/door") return null;
  if (!intention.answer && isBeingSent) return null;
  return (
    <Link href="/door" className="door-bar">
      <span>
        {intention.answer ? t("bar.open", { no: intention.answer.no }) : t("bar.unanswered")}
      </span>
      <span className="door-bar-go">{t("bar.go")}</span>
    </Link>
  );
}

/** Stays until it is read, or something else is done. */
function ReplayedNotice() {
  const t = useTexts();
  if (!replayed.use()) return null;
  return (
    <div className="replayed" role="status">
      <span>{t("replayed")}</span>
      <Button look="second small" onClick={() => replayed.set(false)}>
        {t("replayed.seen")}
      </Button>
    </div>
  );
}

function Tabs() {
  const t = useTexts();
  const { data } = usePlace();
  const tabs: readonly [string, IconName, string, RegExp][] = [
    [data?.cabinet ? `/c/${data.cabinet.sn}` : "/", "home", t("tab.cabinet"), /^\/($|[ct]\/|door)/],
    ["/parcels", "parcels", t("tab.parcels"), /^\/parcels/],
    ["/me", "person", t("tab.me"), /^\/(me|wallet|cards|notices|help|report|legal|close|sign-in)/],
  ];
  const [path] = useLocation();
  return (
    <nav className="tabs" aria-label={t("tabs")}>
      {tabs.map(([href, icon, title, paths]) => (
        <Link key={icon} href={href} aria-current={paths.test(path) ? "page" : undefined}>
          <Icon name={icon} />
          <span>{title}</span>
        </Link>
      ))}
    </nav>
  );
}
