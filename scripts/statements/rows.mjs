// The rows that the sources read of a statement.
import { TypeFlags } from "typescript/unstable/sync";

/** Columns that a call takes for given, and what it takes their values for; none where it reads no rows. */
export function columnsRead({ checker }, call) {
  // What is null is undefined where a shape reads it, and null elsewhere.
  const absent = call.arguments[2] ? TypeFlags.Undefined : TypeFlags.Null;
  return checker.getPropertiesOfType(rowType(checker, call)).map((property) => {
    const type = checker.getTypeOfSymbol(property);
    const members = type.isUnionType() ? type.getTypes() : [type];
    const isNone = ({ flags }) => (flags & (TypeFlags.Null | TypeFlags.Undefined)) !== 0;
    const isAbsent = ({ flags }) => (flags & absent) !== 0;
    const kinds = new Set(
      members.filter((member) => !isNone(member)).map((member) => kindOf(checker, member)),
    );
    return {
      name: property.name,
      kinds,
      mayBeNull: members.some(isAbsent) || kinds.has("anything"),
      type: checker.typeToString(type),
    };
  });
}

/** The row of `rows<Row>(...)`, or, where nobody states it, of what is made of the result. */
function rowType(checker, call) {
  const [stated] = call.typeArguments ?? [];
  if (stated) return checker.getTypeFromTypeNode(stated);
  const promise = checker.getReturnTypeOfSignature(checker.getResolvedSignature(call));
  const result = checker.getNonNullableType(checker.getTypeArguments(promise)[0]);
  return checker.isArrayType(result) ? checker.getTypeArguments(result)[0] : result;
}

const KINDS = [
  ["string", TypeFlags.StringLike],
  ["number", TypeFlags.NumberLike],
  ["boolean", TypeFlags.BooleanLike],
  ["anything", TypeFlags.AnyOrUnknown],
];

/** In the words of `KIND_OF` in database.mjs. */
function kindOf(checker, type) {
  const [kind] = KINDS.find(([, flags]) => (type.flags & flags) !== 0) ?? [];
  return kind ?? (checker.isArrayLikeType(type) ? "list" : "object");
}
