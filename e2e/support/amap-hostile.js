// Hostile stand-in for the map service's script: tries to read the console's session, and records what it got.
(async () => {
  const attempt = async (steal) => {
    try {
      return `got ${await steal()}`;
    } catch (error) {
      return error.name;
    }
  };
  const forged = [
    { kind: "picked", point: { longitude: "120", latitude: {} }, isRough: false },
    { kind: "found", id: 0, places: [{ name: {}, detail: [] }] },
    { kind: "address", region: 1, address: null },
    "hello",
    null,
  ];
  for (const message of forged) parent.postMessage(message, "*");
  const loot = {
    // Its own, empty stand-ins for storage.
    sessions: [localStorage, sessionStorage].map((storage) => storage.getItem("cupboard:auth")),
    parentStorage: await attempt(() => parent.localStorage.getItem("cupboard:auth")),
    parentDocument: await attempt(() => parent.document.body.innerHTML),
    topLocation: await attempt(() => {
      top.location = "/login?stolen";
    }),
    session: await attempt(async () => (await fetch("/api/admin/v1/account/profile")).text()),
    database: await attempt(() => indexedDB.databases()),
  };
  document.querySelector("#map").dataset.loot = JSON.stringify(loot);
})();
