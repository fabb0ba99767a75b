#compdef stress
# Completion for stress in zsh, written by: stress completion zsh
# Save it as _stress in a directory of $fpath, or use it in this shell: source <(stress completion zsh)

# Completes the rest of the line as a command's, if its first word names one of these commands.
_stress_is_command() {
  if ((CURRENT > 2 && ${@[(Ie)${words[2]}]})); then
    local stress_path="${stress_path:+${stress_path}_}${words[2]}"
    shift words
    ((CURRENT--))
    "_stress_$stress_path"
    return 0
  fi
  return 1
}

_stress_mix() {
  local -a operations=(
#MODEL operations
  )
  compset -P '*,'
  if compset -P '*:'; then
    _message weight
  else
    _describe -t operations operation operations -S ''
  fi
}

# OPTION=VALUE,VALUE
_stress_variants() {
  local -A varied=(
#MODEL varied
  )
  if compset -P '*='; then
    local -a values=(${=varied[${${IPREFIX%=}##*=}]})
    compset -P '*,'
    compadd -S '' -a values
  else
    compadd -S = -k varied
  fi
}

_stress_scenarios() {
  local -a examples=(config/*.yaml(N))
  _files -g '*.yaml'
  if [[ $PREFIX != */* ]]; then
    compadd -f -a examples
  fi
}

# Files, or one of these words.
_stress_files() {
  local -a named=("$@")
  compadd -a named
  _files
}

# The tables of the database that the command line or the environment names.
_stress_tables() {
  local -a connection=(@CONNECTION@) given tables
  local -i i
  local word
  for ((i = 2; i <= ${#stress_words}; i++)); do
    word=${(Q)stress_words[i]}
    if ((i != stress_current && ${connection[(Ie)${word%%=*}]})); then
      given+=("$word")
      [[ $word == *=* ]] || given+=("${(Q)stress_words[++i]}")
    fi
  done
  if ((${#given})) || [[ -n ${PGHOST:-}${PGHOSTADDR:-}${PGSERVICE:-} ]]; then
    tables=(${(f)"$("${stress_words[1]/#\~/$HOME}" completion tables $given </dev/null 2>/dev/null)"})
  fi
  if ((${#tables})); then
    compadd -a tables
  else
    _message table
  fi
}

#MODEL functions

_stress() {
  local curcontext=$curcontext stress_path=
  local -a stress_words=("${words[@]}")
  local -i stress_current=$CURRENT
  _stress_main
}

if [[ ${funcstack[1]} == _stress ]]; then
  _stress "$@"
else
  compdef _stress stress
fi
