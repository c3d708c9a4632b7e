import { useEffect, useState } from "preact/hooks";

/** Without a choice the page follows the machine. */
export type Theme = "light" | "dark";

const DARK = "(prefers-color-scheme: dark)";
const KEPT = "outdial-theme";

export function useTheme(): [Theme | undefined, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme | undefined>(() => {
    const kept = localStorage.getItem(KEPT);
    return kept === "light" || kept === "dark" ? kept : undefined;
  });
  useEffect(() => {
    if (theme === undefined) return;
    document.documentElement.dataset["theme"] = theme;
    localStorage.setItem(KEPT, theme);
  }, [theme]);
  return [theme, setTheme];
}

export function themeNow(theme: Theme | undefined): Theme {
  return theme ?? (matchMedia(DARK).matches ? "dark" : "light");
}

/** The theme as the page shows it, also where the machine's changes while it is open. */
export function useShownTheme(): Theme {
  const [shown, setShown] = useState(themeShown);
  useEffect(() => {
    const look = () => setShown(themeShown());
    const machine = matchMedia(DARK);
    machine.addEventListener("change", look);
    const chosen = new MutationObserver(look);
    chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    look();
    return () => {
      machine.removeEventListener("change", look);
      chosen.disconnect();
    };
  }, []);
  return shown;
}

function themeShown(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  return themeNow(chosen === "light" || chosen === "dark" ? chosen : undefined);
}

export function nextTheme(theme: Theme | undefined): Theme {
  return themeNow(theme) === "dark" ? "light" : "dark";
}
