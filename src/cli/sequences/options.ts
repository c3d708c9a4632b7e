import { Option } from "commander";

export const sequenceBrandOption = () =>
  new Option("--brand <brand>", "whose sequence it is").default("default");
