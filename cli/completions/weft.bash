# SPDX-License-Identifier: Apache-2.0
# weft's completion for bash: eval "$(weft completion bash)"
#
# `weft complete WORD...` answers one candidate a line, a tab and its description behind it; a line of a
# tab alone stands for the names of files.
_weft() {
  local word=${COMP_WORDS[COMP_CWORD]} line
  local words=("${COMP_WORDS[@]:1:COMP_CWORD}")
  # bash takes '=' for a word of its own: `--option = value`.
  if [[ $word == '=' ]]; then
    word=''
    words=("${words[@]:0:${#words[@]}-1}" '')
  elif ((COMP_CWORD > 2)) && [[ ${COMP_WORDS[COMP_CWORD - 1]} == '=' ]]; then
    words=("${words[@]:0:${#words[@]}-2}" "$word")
  fi
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == $'\t' ]]; then
      compopt -o filenames
      mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
    else
      COMPREPLY+=("${line%%$'\t'*}")
    fi
  done < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null)
}
complete -F _weft weft ./weft
