import { ruleText, type Preset } from "../../domain/policy/presets/preset.ts";
import { newestPresets } from "../../domain/policy/presets/registry.ts";
import type { PresetListWire, PresetWire } from "./presets.ts";

export function presetView({ id, version, title, reviewed, countries, needs, rules }: Preset): PresetWire {
  return {
    id,
    version,
    title,
    reviewed,
    countries: [...countries],
    needs: [...needs],
    rules: rules.map((rule) => ({
      id: rule.id,
      kind: rule.kind,
      where: rule.where,
      places: rule.places === "elsewhere" ? null : [...rule.places],
      says: ruleText(rule),
      source: rule.source,
      url: rule.url,
      dated: rule.dated,
      note: rule.note ?? null,
    })),
  };
}

export function presetListView(): PresetListWire {
  return { items: newestPresets().map((preset) => ({ ...presetView(preset), rules: preset.rules.length })) };
}
