# Completion for stress in fish, written by: stress completion fish
# Save it as ~/.config/fish/completions/stress.fish, or use it in this shell: stress completion fish | source

# The command on the line; run: the main command.
function __stress_command
#MODEL paths
    set -l words (commandline -opc)
    set -l first $words[2]
    set -l two (string join -- ' ' $words[2..3])
    if contains -- "$two" $paths
        echo $two
    else if contains -- "$first" $paths
        echo $first
    else
        echo run
    end
end

function __stress_in
    contains -- (__stress_command) $argv
end

# Whether the line is still at a command's first word.
function __stress_first
    set -l words (commandline -opc)
    set -l command (__stress_command)
    set -l depth (count (string split ' ' $command))
    if test $command = run
        set depth 0
    end
    test $command = $argv[1] -a (count $words) -eq (math $depth + 1)
end

# The current word without the name of its option.
function __stress_token
    commandline -ct | string replace -r '^--[a-z-]+=' ''
end

# Further words after a comma.
function __stress_list
    set -l before (__stress_token | string match -r '^.*,')
    printf '%s\n' "$before"$argv
end

function __stress_operations
#MODEL operations
end

function __stress_mix
    __stress_list (__stress_operations)
end

function __stress_values
    switch $argv[1]
#MODEL variants
    end
end

# OPTION=VALUE,VALUE
function __stress_variants
    set -l token (__stress_token)
    if string match -q '*=*' -- $token
        set -l option (string split -m 1 = -- $token)[1]
        set -l before (string match -r '^.*[=,]' -- $token)
        printf '%s\n' "$before"(__stress_values $option | string split ' ')
    else
#MODEL names
    end
end

function __stress_scenarios
    set -l token (__stress_token)
    set -l files $token*.yaml $token*/
    if string match -q -- "$token?*" config/
        set -a files config/*.yaml
    end
    printf '%s\n' $files
end

# The tables of the database that the command line or the environment names.
function __stress_tables
    set -l connection @CONNECTION@
    set -l words (commandline -opc)
    set -l given
    set -l takes no
    for word in $words[2..]
        set -l name (string split -m 1 = -- $word)[1]
        if test $takes = yes
            set -a given $word
            set takes no
        else if contains -- $name $connection
            set -a given $word
            if not string match -q '*=*' -- $word
                set takes yes
            end
        end
    end
    if test (count $given) -gt 0 -o -n "$PGHOST$PGHOSTADDR$PGSERVICE"
        set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
        if type -q -- $program
            $program completion tables $given </dev/null 2>/dev/null
        end
    end
end

complete -c stress -f
#MODEL complete
