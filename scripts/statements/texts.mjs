// The texts that a statement may have, read off the sources: `sql` templates, with what is put into them followed to
// where it was written. Values become parameters, as the driver makes them.
import { NodeFlags, SyntaxKind } from "typescript/unstable/ast";
import { TypeFlags } from "typescript/unstable/sync";

import { descendants, isFunction, placeOf } from "./program.mjs";

/** What a statement holds can't be told from the sources. */
export class UnresolvedError extends Error {
  constructor(node, problem) {
    super(`${placeOf(node)}: ${problem}: ${node.getText().replaceAll(/\s+/g, " ").slice(0, 80)}`);
  }
}

/** The choices made so far do not go together: one is read where another says that it is not there. */
class ImpossibleError extends Error {}

/** Names, calls and properties that are followed for one part of a statement: more go in a circle. */
const MOST_DEPTH = 100;

/** Stands where a parameter will. */
const PARAMETER = "\u0001";

/**
 * Texts that a statement may have: each alternative (a condition, a caller, a way to return) stands in one of them,
 * not each combination. `pieces` are the templates that they were made of.
 *
 * @throws UnresolvedError
 */
export function textsOf(program, statement) {
  const pieces = new Set();
  const texts = new Set();
  /** Answers by what was asked; what is not in it is answered with the first. */
  const ways = [new Map()];
  const asked = new Set();
  const untold = new Map();
  for (const way of ways) {
    const answers = [];
    const choose = (key, count, node) => {
      const answer = way.get(key) ?? 0;
      answers.push(`${key}=${answer}`);
      if (!asked.has(key)) {
        asked.add(key);
        for (let n = 1; n < count; n += 1) ways.push(new Map([...way, [key, n]]));
      }
      for (let n = 0; n < count; n += 1) if (!untold.has(`${key}=${n}`)) untold.set(`${key}=${n}`, node);
      return answer;
    };
    try {
      let parameters = 0;
      const reading = new Reading(program, choose);
      const text = reading.text(statement);
      texts.add(text.replaceAll(PARAMETER, () => `$${(parameters += 1)}`).trim());
      for (const piece of reading.pieces) pieces.add(piece);
      for (const answer of answers) untold.set(answer, undefined);
    } catch (error) {
      if (!(error instanceof ImpossibleError)) throw error;
    }
  }
  for (const node of untold.values()) {
    if (node) throw new UnresolvedError(node, "a choice that goes with no others");
  }
  return { texts: [...texts], pieces };
}

/**
 * A function that is being read: its arguments and the frame that those stand in, and `outer`, that of the function
 * around it. The key tells it from other calls of the same.
 */
function frameOf(fn, args, { argsFrame, outer, call }) {
  const key = `${argsFrame?.key ?? ""}/${call.getSourceFile().fileName}:${call.pos}`;
  return { fn, args, argsFrame, outer, key };
}

/** An expression that stands for itself, and the frame that it is read in. No expression: nothing was given. */
const NOTHING = { node: undefined, frame: undefined };

/** One way through the sources. */
class Reading {
  #program;
  #choose;
  #depth = 0;
  /** Templates that were met. */
  pieces = new Set();
  /** Functions that a statement stands in, each as one of its callers calls it. */
  #entered = new Map();

  constructor(program, choose) {
    this.#program = program;
    this.#choose = choose;
  }

  /** The text of a piece of SQL. */
  text(expression, from) {
    const { node, frame } = this.#origin(expression, from);
    if (!node) throw new ImpossibleError();
    if (node.kind === SyntaxKind.TaggedTemplateExpression) {
      this.pieces.add(node);
      return this.#template(node.template, frame);
    }
    if (node.kind === SyntaxKind.CallExpression) {
      const [first, second] = node.arguments;
      switch (node.expression.getText()) {
        case "sql.raw":
          return this.#literal(first, frame);
        case "sql.join":
          return this.#elements(first, frame).join(second ? this.text(second, frame) : "");
        case "record":
          return this.#columns(first, second, frame);
      }
    }
    throw new UnresolvedError(node, "no SQL that can be read");
  }

  #template(template, frame) {
    if (template.kind === SyntaxKind.NoSubstitutionTemplateLiteral) return template.text;
    const parts = template.templateSpans.map(({ expression, literal }) => {
      const part = this.#isSql(expression) ? this.text(expression, frame) : this.#parameter(expression);
      return `${part}${literal.text}`;
    });
    return `${template.head.text}${parts.join("")}`;
  }

  /** What the driver makes a parameter of: of undefined it makes nothing, of a list a list in parentheses. */
  #parameter(expression) {
    const members = membersOf(this.#typeOf(expression));
    if (members.every(({ flags }) => (flags & VALUES) !== 0)) return PARAMETER;
    throw new UnresolvedError(expression, "neither SQL nor a value that is a parameter");
  }

  #isSql(expression) {
    return membersOf(this.#typeOf(expression)).some((type) => type.getSymbol()?.name === "SQL");
  }

  #typeOf(node) {
    return this.#program.checker.getTypeAtLocation(node);
  }

  /** The texts of a list's elements. One that is made from other values has two, as good as any number. */
  #elements(expression, from) {
    const { node, frame } = this.#origin(expression, from);
    if (node?.kind === SyntaxKind.ArrayLiteralExpression) {
      return node.elements.flatMap((element) =>
        element.kind === SyntaxKind.SpreadElement
          ? this.#elements(element.expression, frame)
          : [this.text(element, frame)],
      );
    }
    const made = node?.kind === SyntaxKind.CallExpression && methodOf(node) === "map" && node.arguments[0];
    if (made && isFunction(made)) {
      const element = this.#returned(made, frameOf(made, [], { argsFrame: frame, outer: frame, call: node }));
      const text = this.text(element.node, element.frame);
      return [text, text];
    }
    throw new UnresolvedError(node ?? expression, "no list that can be read");
  }

  /** The columns of a record, as src/ledger/ground/record.ts selects them. */
  #columns(columns, table, frame) {
    const prefix = table ? `${this.#literal(table, frame)}.` : "";
    const selected = this.#fields(columns, frame).map(([field, expression, from]) => {
      const { source, isMoment } = this.#column(expression, from);
      const column = source ?? `${prefix}${columnNamed(field, isMoment)}`;
      return `${isMoment ? momentOf(column) : column} as "${field}"`;
    });
    return selected.join(", ");
  }

  /** The properties of an object, those that are spread into it as well. */
  #fields(expression, from) {
    const { node, frame } = this.#origin(expression, from);
    if (node?.kind !== SyntaxKind.ObjectLiteralExpression)
      throw new UnresolvedError(node ?? expression, "no object that can be read");
    return node.properties.flatMap((property) =>
      property.kind === SyntaxKind.SpreadAssignment
        ? this.#fields(property.expression, frame)
        : [[property.name.text, property.initializer, frame]],
    );
  }

  /** `from("p.name", text)`, `optional(moment)`, and what stands in them. */
  #column(expression, frame) {
    if (expression.kind === SyntaxKind.CallExpression) {
      const [first, second] = expression.arguments;
      switch (expression.expression.getText()) {
        case "from":
          return { ...this.#column(second, frame), source: this.#literal(first, frame) };
        case "optional":
          return this.#column(first, frame);
        default:
          return { isMoment: false };
      }
    }
    return { isMoment: this.#fields(expression, frame).some(([name]) => name === "isMoment") };
  }

  /** A text that is known here, for names of types and tables. */
  #literal(expression, from) {
    const { node, frame } = this.#given(expression, from);
    if (!node) throw new ImpossibleError();
    if (STRINGS.has(node.kind)) return node.text;
    if (node.kind === SyntaxKind.TemplateExpression) {
      const spans = node.templateSpans.map(
        (span) => this.#literal(span.expression, frame) + span.literal.text,
      );
      return `${node.head.text}${spans.join("")}`;
    }
    const types = membersOf(this.#typeOf(node));
    if (!types.every((type) => type.isStringLiteralType()))
      throw new UnresolvedError(node, "no text that is known here");
    return types[this.#ask(`${frame?.key}:${node.getText()}`, types.length, node)].value;
  }

  /** Where a text comes from. One that only others give, who are not seen, is any that its type allows. */
  #given(expression, frame) {
    try {
      return this.#origin(expression, frame);
    } catch (error) {
      const isKnown = membersOf(this.#typeOf(expression)).every((type) => type.isStringLiteralType());
      if (!(error instanceof UnresolvedError) || !isKnown) throw error;
      return { node: expression, frame };
    }
  }

  #ask(key, count, node) {
    return count === 1 ? 0 : this.#choose(key, count, node);
  }

  /** Where an expression comes from: names, properties, calls of ours and conditions are followed. */
  #origin(expression, frame) {
    if ((this.#depth += 1) > MOST_DEPTH) throw new UnresolvedError(expression, "goes in a circle");
    try {
      return this.#follow(expression, frame);
    } finally {
      this.#depth -= 1;
    }
  }

  #follow(node, frame) {
    switch (node.kind) {
      case SyntaxKind.ParenthesizedExpression:
      case SyntaxKind.AsExpression:
      case SyntaxKind.SatisfiesExpression:
      case SyntaxKind.AwaitExpression:
        return this.#origin(node.expression, frame);
      case SyntaxKind.ConditionalExpression: {
        const branches = [node.whenTrue, node.whenFalse];
        const key = `${frame?.key}:${node.getSourceFile().fileName}:${node.condition.getText()}`;
        return this.#origin(branches[this.#ask(key, 2, node)], frame);
      }
      case SyntaxKind.Identifier:
        return this.#named(node, frame);
      case SyntaxKind.PropertyAccessExpression:
        return this.#property(this.#origin(node.expression, frame), node.name.text, node);
      case SyntaxKind.ElementAccessExpression: {
        const name = this.#literal(node.argumentExpression, frame);
        return this.#property(this.#origin(node.expression, frame), name, node);
      }
      case SyntaxKind.CallExpression: {
        const fn = this.#program.calledBy(node);
        return fn && fn.name?.text !== "record"
          ? this.#returned(fn, frameOf(fn, node.arguments, { argsFrame: frame, outer: frame, call: node }))
          : { node, frame };
      }
      default:
        return { node, frame };
    }
  }

  /** What a function of ours returns. */
  #returned(fn, frame) {
    if (fn.body.kind !== SyntaxKind.Block) return this.#origin(fn.body, frame);
    const returns = [...descendants(fn.body, SyntaxKind.ReturnStatement)].filter(
      (statement) => statement.expression && functionAround(statement) === fn,
    );
    if (returns.length === 0) throw new UnresolvedError(fn, "returns nothing");
    return this.#origin(returns[this.#ask(`${frame.key}:returns`, returns.length, fn)].expression, frame);
  }

  #named(node, frame) {
    if (node.text === "undefined") return NOTHING;
    const declaration = this.#program.declarationOf(node);
    switch (declaration?.kind) {
      case SyntaxKind.VariableDeclaration:
        return this.#variable(declaration, frame, node);
      case SyntaxKind.Parameter:
        return this.#argument(declaration, frame);
      case SyntaxKind.BindingElement:
        return this.#bound(declaration, frame);
      default:
        return { node, frame };
    }
  }

  #variable(declaration, frame, node) {
    // What is known of it only as a value is one.
    if (!declaration.initializer) return { node, frame };
    if (!isConstant(declaration)) throw new UnresolvedError(node, "may have been changed since");
    return this.#origin(declaration.initializer, frame);
  }

  /** What is given for a parameter of a function: by the call that is read, or by one of those that there are. */
  #argument(declaration, from) {
    const fn = declaration.parent;
    let frame = from;
    while (frame && frame.fn !== fn) frame = frame.outer;
    frame ??= this.#enter(fn, declaration);
    const argument = frame.args[fn.parameters.indexOf(declaration)];
    if (argument) return this.#origin(argument, frame.argsFrame);
    return declaration.initializer ? this.#origin(declaration.initializer, frame) : NOTHING;
  }

  #enter(fn, declaration) {
    const entered = this.#entered.get(fn);
    if (entered) return entered;
    const calls = this.#program.callsOf(fn);
    if (calls.length === 0) throw new UnresolvedError(declaration, "nobody is seen to give it");
    const call = calls[this.#ask(`${placeOf(fn)}:callers`, calls.length, declaration)];
    const frame = frameOf(fn, call.arguments, { call });
    this.#entered.set(fn, frame);
    return frame;
  }

  /** A name out of a pattern: `const { condition } = page`, or the same as a parameter. */
  #bound(element, frame) {
    const holder = element.parent.parent;
    const whole =
      holder.kind === SyntaxKind.BindingElement
        ? this.#bound(holder, frame)
        : holder.kind === SyntaxKind.Parameter
          ? this.#argument(holder, frame)
          : this.#variable(holder, frame, element);
    if (element.dotDotDotToken || element.parent.kind !== SyntaxKind.ObjectBindingPattern)
      throw new UnresolvedError(element, "part of a pattern that can't be read");
    const found = this.#property(whole, (element.propertyName ?? element.name).text, element);
    return !found.node && element.initializer ? this.#origin(element.initializer, frame) : found;
  }

  #property({ node, frame }, name, asked) {
    if (!node) throw new ImpossibleError();
    if (
      node.kind === SyntaxKind.CallExpression &&
      node.expression.getText() === "record" &&
      name === "columns"
    )
      return { node, frame };
    if (node.kind !== SyntaxKind.ObjectLiteralExpression) return { node: asked, frame };
    for (const property of node.properties.toReversed()) {
      if (property.kind === SyntaxKind.SpreadAssignment) {
        const found = this.#property(this.#origin(property.expression, frame), name, asked);
        if (found.node) return found;
      } else if (property.name?.text === name) {
        return property.kind === SyntaxKind.ShorthandPropertyAssignment
          ? this.#named(property.name, frame)
          : this.#origin(property.initializer, frame);
      }
    }
    return NOTHING;
  }
}

function columnNamed(field, isMoment) {
  const name = isMoment ? field.replace(/Ms$/, "") : field;
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function momentOf(column) {
  return `round(extract(epoch from ${column}) * 1000)::float8`;
}

/** Of one of these the driver makes a parameter. */
const VALUES =
  TypeFlags.StringLike | TypeFlags.NumberLike | TypeFlags.BooleanLike | TypeFlags.BigIntLike | TypeFlags.Null;

const STRINGS = new Set([SyntaxKind.StringLiteral, SyntaxKind.NoSubstitutionTemplateLiteral]);

function membersOf(type) {
  return type.isUnionType() ? type.getTypes() : [type];
}

function methodOf(call) {
  return call.expression.kind === SyntaxKind.PropertyAccessExpression ? call.expression.name.text : undefined;
}

function functionAround(node) {
  let around = node.parent;
  while (around && !isFunction(around)) around = around.parent;
  return around;
}

function isConstant(declaration) {
  return (declaration.parent.flags & NodeFlags.Const) !== 0;
}
