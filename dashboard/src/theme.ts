import { useEffect, useState } from "preact/hooks";

/** Without a choice the page follows the machine. */
export type Theme = "light" | "dark";

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
  return theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

export function nextTheme(theme: Theme | undefined): Theme {
  return themeNow(theme) === "dark" ? "light" : "dark";
}
