import { FILES, type TableLine } from "./tree.ts";

/*
 * Scripts that complete command lines. Each has the whole table in it and walks the words that stand before the
 * cursor, so that a shell starts nothing until a name of the running system is asked for. That is looked up in the
 * system which the line names with --context, --data-dir and --brand.
 */

export const SHELLS = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof SHELLS)[number];

export function completionScript(shell: Shell, table: readonly TableLine[]): string {
  switch (shell) {
    case "bash":
      return `# Completion of outdial for bash.\n${caseTable(table)}${BASH}`;
    case "zsh":
      return `#compdef outdial\n${caseTable(table)}${ZSH}`;
    case "fish":
      return `# Completion of outdial for fish.\n${switchTable(table)}${FISH}`;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** As a function of both shells; of bash since 3.2, which macOS has. */
function caseTable(table: readonly TableLine[]): string {
  const lines = table.map(({ key, words }) => `    ${quoted(key)}) echo ${quoted(words.join(" "))} ;;\n`);
  return `_outdial_table() {\n  case "$1" in\n${lines.join("")}  esac\n}\n`;
}

function switchTable(table: readonly TableLine[]): string {
  const literal = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = table.map(
    ({ key, words }) => `        case ${literal(key)}\n            echo ${literal(words.join(" "))}\n`,
  );
  return `function __outdial_table\n    switch "$argv[1]"\n${lines.join("")}    end\nend\n`;
}

/** Of a value that is left out before the cursor, `=` stands as a word of its own where bash breaks words at it. */
const BASH = `
_outdial() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path="" expects="" n=0 i word words spec
  local given=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ -n $expects ]]; then
      [[ $word == "=" ]] && continue
      case "$expects" in --context | --data-dir | --brand) given+=("$expects" "$word") ;; esac
      expects=""
      continue
    fi
    if [[ $word == -* ]]; then
      [[ " $(_outdial_table "o:$path") " == *" $word= "* ]] && expects="$word"
      continue
    fi
    if [[ " $(_outdial_table "c:$path") " == *" $word "* ]]; then
      path="\${path:+$path }$word"
    else
      n=$((n + 1))
    fi
  done
  [[ $cur == "=" ]] && cur=""
  if [[ -n $expects ]]; then
    spec="$(_outdial_table "v:$path $expects")"
    [[ -n $spec ]] || spec="$(_outdial_table "e:$expects")"
  elif [[ $cur == -* ]]; then
    words="$(_outdial_table "o:$path")"
    spec="\${words//=/}"
  else
    spec="$(_outdial_table "c:$path")"
    [[ -n $spec ]] || spec="$(_outdial_table "a:$path $n")"
  fi
  COMPREPLY=()
  case "$spec" in
    ${FILES})
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
      ;;
    =*)
      while IFS= read -r word; do
        [[ $word == "$cur"* ]] && COMPREPLY+=("$(printf %q "$word")")
      done < <("\${COMP_WORDS[0]}" __complete "\${given[@]}" "\${spec#=}" 2>/dev/null </dev/null)
      ;;
    *)
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$spec" -- "$cur")
      ;;
  esac
}
complete -F _outdial outdial
`;

const ZSH = `
_outdial() {
  local cur="\${words[CURRENT]}" at="" expects="" spec word
  local -i n=0 i
  local -a given
  for ((i = 2; i < CURRENT; i++)); do
    word="\${(Q)words[i]}"
    if [[ -n $expects ]]; then
      case "$expects" in --context | --data-dir | --brand) given+=("$expects" "$word") ;; esac
      expects=""
      continue
    fi
    if [[ $word == -* ]]; then
      [[ " $(_outdial_table "o:$at") " == *" $word= "* ]] && expects="$word"
      continue
    fi
    if [[ " $(_outdial_table "c:$at") " == *" $word "* ]]; then
      at="\${at:+$at }$word"
    else
      n=$((n + 1))
    fi
  done
  if [[ -n $expects ]]; then
    spec="$(_outdial_table "v:$at $expects")"
    [[ -n $spec ]] || spec="$(_outdial_table "e:$expects")"
  elif [[ $cur == -* ]]; then
    spec="\${$(_outdial_table "o:$at")//=/}"
  else
    spec="$(_outdial_table "c:$at")"
    [[ -n $spec ]] || spec="$(_outdial_table "a:$at $n")"
  fi
  case "$spec" in
    "${FILES}") _files ;;
    \\=*) compadd -- "\${(@f)$("\${(Q)words[1]}" __complete "\${given[@]}" "\${spec#=}" 2>/dev/null </dev/null)}" ;;
    *) compadd -- \${=spec} ;;
  esac
}
if [[ "\${funcstack[1]}" == _outdial ]]; then
  _outdial "$@"
else
  compdef _outdial outdial
fi
`;

const FISH = `
function __outdial_candidates
    set -l tokens (commandline -opc)
    set -l cur (commandline -ct)
    set -l at ''
    set -l expects ''
    set -l n 0
    set -l given
    for word in $tokens[2..-1]
        if test -n "$expects"
            contains -- $expects --context --data-dir --brand; and set -a given $expects $word
            set expects ''
            continue
        end
        if string match -q -- '-*' $word
            contains -- "$word=" (__outdial_table "o:$at" | string split ' '); and set expects $word
            continue
        end
        if contains -- $word (__outdial_table "c:$at" | string split ' ')
            set at (string trim -- "$at $word")
        else
            set n (math $n + 1)
        end
    end
    set -l spec
    if test -n "$expects"
        set spec (__outdial_table "v:$at $expects")
        test -n "$spec"; or set spec (__outdial_table "e:$expects")
    else if string match -q -- '-*' $cur
        set spec (__outdial_table "o:$at" | string replace -a '=' '')
    else
        set spec (__outdial_table "c:$at")
        test -n "$spec"; or set spec (__outdial_table "a:$at $n")
    end
    switch "$spec"
        case ''
            return
        case ${FILES}
            __fish_complete_path $cur
        case '=*'
            $tokens[1] __complete $given (string sub -s 2 -- $spec) 2>/dev/null </dev/null
        case '*'
            string split ' ' -- $spec
    end
end
complete -c outdial -f -a '(__outdial_candidates)'
`;
