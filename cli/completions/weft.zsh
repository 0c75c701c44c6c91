#compdef weft
# SPDX-License-Identifier: Apache-2.0
# weft's completion for zsh: eval "$(weft completion zsh)". See weft.bash for what `weft complete` answers.
_weft() {
  local line files=0
  local -a found
  while IFS= read -r line; do
    if [[ $line == $'\t' ]]; then
      files=1
    else
      found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    fi
  done < <("${words[1]}" complete "${(@)words[2,CURRENT]}" 2>/dev/null)
  ((${#found})) && _describe weft found
  ((files)) && _files
}
compdef _weft weft
