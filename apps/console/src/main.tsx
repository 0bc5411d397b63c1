// The console's door: mounts the app over the splash.
import { createRoot } from "react-dom/client";

const root = document.getElementById("root");
if (root) createRoot(root).render(<main>智能存取系统</main>);
