import type { CompletionEntry } from './words.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** A script for a shell: it knows the commands by itself, and runs nothing. */
export function renderCompletion(shell: Shell, entries: readonly CompletionEntry[]): string {
  switch (shell) {
    case 'bash':
      return bash(entries);
    case 'zsh':
      return zsh(entries);
    case 'fish':
      return fish(entries);
  }
}

/** The words that are commands, one after the other, name the entry. */
const findPath = `  local place="" word candidate
  for word in "\${words[@]:1:count}"; do
    candidate="\${place:+$place }$word"
    case "$candidate" in
      PATHS) place="$candidate" ;;
    esac
  done`;

function bash(entries: readonly CompletionEntry[]): string {
  const cases = entries.map(
    ({ path, words }) =>
      `    ${quote(path)}) candidates=${quote(words.map(({ word }) => word).join(' '))} ;;`,
  );
  return `# relay completion bash
_relay() {
  local words=("\${COMP_WORDS[@]}") count=$((COMP_CWORD - 1)) candidates=""
${findPath.replace('PATHS', patternOf(entries))}
  case "$place" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _relay relay
`;
}

function zsh(entries: readonly CompletionEntry[]): string {
  const cases = entries.map(({ path, words }) => {
    const described = words.map(({ word, meaning }) => quote(`${word}:${meaning}`));
    return `    ${quote(path)}) candidates=(${described.join(' ')}) ;;`;
  });
  return `#compdef relay
_relay() {
  local -a candidates
  local place="" word candidate
  for word in "\${(@)words[2,CURRENT-1]}"; do
    candidate="\${place:+$place }$word"
    case "$candidate" in
      ${patternOf(entries)}) place="$candidate" ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  _describe relay candidates || _files
}
if [[ "$funcstack[1]" == _relay ]]; then
  _relay "$@"
else
  compdef _relay relay
fi
`;
}

function fish(entries: readonly CompletionEntry[]): string {
  const paths = entries.map(({ path }) => path).filter((path) => path !== '');
  const lines = entries.flatMap(({ path, words }) =>
    words.map(({ word, meaning }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      const where = quote(`__relay_at "${path}"`);
      return `complete -c relay -n ${where} ${what} -d ${quote(meaning)}`;
    }),
  );
  return `# relay completion fish
function __relay_at
  set -l place ''
  for word in (commandline -opc)[2..-1]
    set -l candidate (string trim "$place $word")
    contains -- $candidate ${paths.map(quote).join(' ')}; and set place $candidate
  end
  test "$argv[1]" = "$place"
end
complete -c relay -f
${lines.join('\n')}
`;
}

function patternOf(entries: readonly CompletionEntry[]): string {
  const paths = entries.map(({ path }) => path).filter((path) => path !== '');
  return paths.map(quote).join(' | ');
}

/** One word to a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
