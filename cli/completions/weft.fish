# SPDX-License-Identifier: Apache-2.0
# weft's completion for fish: weft completion fish | source. See weft.bash for what `weft complete` answers.
function __weft
    set -l words (commandline -opc)
    set -l command $words[1]
    set -e words[1]
    for line in ($command complete $words (commandline -ct) 2>/dev/null)
        if test "$line" = \t
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c weft -f -a '(__weft)'
