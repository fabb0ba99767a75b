# Completion for stress in bash, written by: stress completion bash
# To use it in this shell: source <(stress completion bash)

# What a command takes: its commands, its options without and with a value, and the kind and the words of its arguments.
_stress_command() {
  commands='' flags='' valued='' argument=none arguments=''
  case $1 in
#MODEL commands
  esac
}

# The kind and the words of an option's value: COMMAND OPTION.
_stress_option() {
  kind=none list=''
  case "$1 $2" in
#MODEL values
  esac
}

# Proposes the lines of a text that continue the current word after "head", the part of it that stays.
_stress_add() {
  local line
  while IFS= read -r line; do
    if [[ -n $line && $line == "${cur#"$head"}"* ]]; then
      COMPREPLY+=("$before$head$line")
    fi
  done <<<"$1"
}

_stress_no_space() {
  compopt -o nospace 2>/dev/null
}

# Proposes the names of files as readline shows them.
_stress_files() {
  compopt -o filenames 2>/dev/null
  _stress_add "$1"
}

# Proposes tables. Anybody may have named them, so the shell must not expand what is inserted. In quotes, only plain names are proposed.
_stress_add_tables() {
  local name names=''
  while IFS= read -r name; do
    if [[ ! $name =~ ^[[:alnum:]_.]*$ ]]; then
      [[ $quote ]] && continue
      printf -v name %q "$name"
    fi
    names+=$name$'\n'
  done <<<"$(_stress_tables)"
  _stress_add "$names"
}

# The tables of the database that the command line or the environment names.
_stress_tables() {
  local -a given=()
  local i word
  for ((i = 1; i < ${#words[@]}; i++)); do
    word=${words[i]//[\"\'\\]/}
    if ((i != cword)) && [[ " @CONNECTION@ " == *" ${word%%=*} "* ]]; then
      given+=("$word")
      if [[ $word != *=* ]]; then
        i=$((i + 1))
        given+=("${words[i]//[\"\'\\]/}")
      fi
    fi
  done
  if [[ ${#given[@]} -gt 0 || -n ${PGHOST:-}${PGHOSTADDR:-}${PGSERVICE:-} ]]; then
    "${words[0]/#\~/$HOME}" completion tables ${given[@]+"${given[@]}"} </dev/null 2>/dev/null
  fi
}

_stress_scenarios() {
  local files
  files=$(
    compgen -f -X '!*.yaml' -- "$cur"
    compgen -d -- "$cur"
  )
  if [[ config/ == "$cur"?* && -d config ]]; then # the directory's files instead of its name
    files=$(grep -vx config <<<"$files")$'\n'$(compgen -f -X '!*.yaml' -- config/)
  fi
  _stress_files "$files"
}

_stress_value() {
  case $1 in
    words)
      _stress_add "${2// /$'\n'}"
      ;;
    list)
      head=${cur%"${cur##*,}"}
      _stress_no_space
      _stress_add "${2// /$'\n'}"
      ;;
    mix)
      head=${cur%"${cur##*,}"}
      _stress_no_space
      _stress_add "${2// /$'\n'}"
      ;;
    variants)
      _stress_no_space
      if [[ $cur == *=* ]]; then
        _stress_option "$command" "--${cur%%=*}"
        head=${cur%"${cur##*[,=]}"}
        case $kind in
          words | list | mix) _stress_add "${list// /$'\n'}" ;;
          table) _stress_add_tables ;;
        esac
      else
        _stress_add "${2// /=$'\n'}="
      fi
      ;;
    file)
      _stress_add "${2// /$'\n'}"
      _stress_files "$(compgen -f -- "$cur")"
      ;;
    directory)
      _stress_files "$(compgen -d -- "$cur")"
      ;;
    scenario)
      _stress_scenarios
      ;;
    table)
      _stress_add_tables
      ;;
  esac
}

_stress() {
  local -a words=()
  local commands flags valued argument arguments kind list
  local cword=0 command='' option='' before='' head='' quote='' seen=0 cur whole rest bare word i
  COMPREPLY=()

  # bash also splits words at = and :, which is undone here
  rest=${COMP_LINE:0:COMP_POINT}
  for ((i = 0; i <= COMP_CWORD; i++)); do
    bare=${rest#"${rest%%[![:space:]]*}"}
    word=$bare
    ((i == COMP_CWORD)) || word=${COMP_WORDS[i]}
    if ((${#words[@]} > 0)) && [[ $bare == "$rest" ]]; then
      words[cword]+=$word
    else
      words+=("$word")
      cword=$((${#words[@]} - 1))
    fi
    rest=${bare#"$word"}
  done
  cur=${words[cword]#[\"\']}
  quote=${words[cword]%"$cur"}
  whole=$cur

  _stress_command ''
  for ((i = 1; i < cword; i++)); do
    word=${words[i]}
    if [[ $word == -* ]]; then
      if [[ " $valued " == *" $word "* ]]; then
        i=$((i + 1))
        ((i < cword)) || option=$word
      fi
    elif [[ $seen == 0 && " $commands " == *" $word "* ]]; then
      command="${command:+$command }$word"
      _stress_command "$command"
    else
      seen=1
    fi
  done

  if [[ -z $option && $cur == --*=* ]]; then
    option=${cur%%=*}
    before=$option=
    cur=${cur#*=}
  fi
  if [[ -n $option ]]; then
    _stress_option "$command" "$option"
    _stress_value "$kind" "$list"
  elif [[ $cur == -* ]]; then
    word="$flags $valued"
    _stress_add "${word// /$'\n'}"
  else
    if ((seen == 0)); then
      _stress_add "${commands// /$'\n'}"
    fi
    _stress_value "$argument" "$arguments"
  fi

  # readline replaces only what follows the last = or :
  word=''
  for i in = :; do
    if [[ $COMP_WORDBREAKS == *$i* && $whole == *$i* ]]; then
      bare=${whole%"${whole##*"$i"}"}
      ((${#bare} <= ${#word})) || word=$bare
    fi
  done
  for i in "${!COMPREPLY[@]}"; do
    COMPREPLY[i]=${COMPREPLY[i]#"$word"}
  done
}

complete -F _stress stress
