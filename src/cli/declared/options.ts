import { Option } from "commander";

export interface FolderOptions {
  file: string;
  json?: true;
}

export const folderOption = () =>
  new Option("-f, --file <folder>", "folder of YAML and JSON documents, or one file").makeOptionMandatory();
