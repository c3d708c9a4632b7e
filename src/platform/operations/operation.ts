import { z } from "zod";
import type { Page } from "../decoding.ts";
import { actionAnswer, pageOf, tolerantPageOf } from "../decoding.ts";
import type { Endpoint } from "../endpoint.ts";

/** The contract's three ways of naming a position: skip/limit, page/per_page (pages from 1) and offset/limit. */
export type PagingStyle = "skip" | "page" | "offset";

/** What an operation answers with, and how it is read. */
export type Answer =
  | {
      readonly kind: "object";
      readonly of: z.ZodType;
      /** For actions that may answer with any object or none: the record's id is the one that was asked about. */
      readonly about?: { readonly param: string; readonly field: string };
      /** Fields that the request knows, by the names of its path parameters: the answer may leave them out. */
      readonly known?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "page";
      readonly style: PagingStyle;
      /** The contract's own page size (section 8), asked for by name so that a changed default changes nothing. */
      readonly limit: number;
      readonly of: z.ZodType<Page<unknown>>;
      /** The field of a row that is its id. */
      readonly rowId: string;
      /** What a row is read with. */
      readonly row: z.ZodType;
    }
  /** A whole list in one answer; read as a page, since an envelope is taken, too. */
  | {
      readonly kind: "array";
      readonly of: z.ZodType<Page<unknown>>;
      /** The field that tells rows apart. Undefined: what the one answer holds is all that is asked for. */
      readonly rowId: string | undefined;
      readonly row: z.ZodType;
    }
  | { readonly kind: "bytes" }
  /** A delete: its object, if any, says nothing. */
  | { readonly kind: "nothing" };

/** What is known of an operation: enough to send it and read it without knowing it. */
export interface Operation {
  readonly endpoint: Endpoint;
  /** One line, for a list of commands. */
  readonly summary: string;
  /** Rules of path parameters that are more than ids. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Fields of the query that are sent under another name as well: the one that the platform does not know, it ignores. */
  readonly alsoAs?: Readonly<Record<string, string>>;
  /** Rules of a JSON body, or a form with a file in it. An operation without sends no body. */
  readonly body?: z.ZodType | "multipart";
  readonly answer: Answer;
  /** What a person should be asked about before it is sent: it removes something for good, or calls phones. */
  readonly asks?: "deletes" | "dials";
  /** For how long the platform may work before it answers, by the contract; waited for beside the usual time. */
  readonly mayTakeMs?: number;
}

/** What an operation does beside where it is. */
type Described = Omit<Operation, "endpoint">;

/** By default only a GET is a read. */
type Beyond = Partial<Pick<Endpoint, "access" | "atOnce" | "alternate">>;

export const get = operationBy("GET", "read");
export const post = operationBy("POST", "write");
export const patch = operationBy("PATCH", "write");
export const remove = operationBy("DELETE", "write");

function operationBy<const Method extends Endpoint["method"]>(method: Method, access: Endpoint["access"]) {
  return <const Route extends `/v1/${string}`, const Of extends Described>(
    route: Route,
    operation: Of,
    beyond: Beyond = {},
  ) => ({ ...operation, endpoint: { method, route, access, ...beyond } });
}

/** The operations of a resource, by its name and theirs. */
export type OperationsOf<Resource extends string> = Readonly<Record<`${Resource}.${string}`, Operation>>;

export function object<Of extends z.ZodType>(of: Of) {
  return { kind: "object", of } as const;
}

/** Contract 4: "Responses to deletes and actions return an object; its shape: not shown." */
export const anyObject = object(actionAnswer);

export function page<Row>(
  style: PagingStyle,
  limit: number,
  row: z.ZodType<Row>,
  rowId: keyof Row & string,
  ...rowsNames: readonly string[]
) {
  return { kind: "page", style, limit, of: pageOf(row, rowsNames), rowId, row } as const;
}

/** As `page` and `array`, for records that must not be lost to one among them that can't be read. */
export function tolerantPage<Row>(
  style: PagingStyle,
  limit: number,
  row: z.ZodType<Row>,
  rowId: keyof Row & string,
  ...rowsNames: readonly string[]
) {
  return { kind: "page", style, limit, of: tolerantPageOf(row, rowsNames), rowId, row } as const;
}

export function tolerantArray<Row>(row: z.ZodType<Row>, ...rowsNames: readonly string[]) {
  return { kind: "array", of: tolerantPageOf(row, rowsNames), rowId: undefined, row } as const;
}

export function array<Row>(
  row: z.ZodType<Row>,
  rowId: (keyof Row & string) | undefined,
  ...rowsNames: readonly string[]
) {
  return { kind: "array", of: pageOf(row, rowsNames), rowId, row } as const;
}

export const bytes = { kind: "bytes" } as const;

export const nothing = { kind: "nothing" } as const;

/** A body that may be left out: nothing in it is required. */
export const linkFields = {
  trigger_condition_description: z.string().optional(),
  priority: z.number().optional(),
  execution_mode_override: z.enum(["sync", "async"]).optional(),
};
