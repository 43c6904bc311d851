#!/usr/bin/env bash
# What action.yml runs: the command $1 over the lines of FILES, with the options that the other variables stand for.
# Prints the report of each run, and hands it on where GITHUB_OUTPUT says so. Fails if one fails, after all have run.
set -euo pipefail
lanner=$1

# What nobody can have guessed.
mark() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

# What follows has names that come from outside, in which the runner would find commands to itself.
token=$(mark)
printf '::stop-commands::%s\n' "$token"
trap 'printf "::%s::\n" "$token"' EXIT

# Bash before 4.4, which macOS has, takes an empty list for a variable that is not set: hence the + below.
options=()
# In one word: a value may begin with hyphens, as PEM does, and is no option then.
option() { if [ -n "$2" ]; then options+=("$1=$2"); fi; }
option --key "${KEY:-}"
option --public-key "${PUBLIC_KEY:-}"
option --signers "${SIGNERS:-}"
option --policy "${POLICY:-}"
option --policy-key "${POLICY_KEY:-}"

files=()
while IFS= read -r line; do
    if [ -n "$line" ]; then files+=("$line"); fi
done <<<"${FILES:-}"
if [ ${#files[@]} -eq 0 ]; then
    echo "there are no files to check" >&2
    exit 2
fi

reports=
status=0
# Names come after --: none of them is an option.
check() {
    local report code=0
    report=$("$lanner" "$@") || code=$?
    printf '%s\n' "$report"
    reports+=$report$'\n'
    if [ "$code" -ne 0 ]; then status=$code; fi
}
case "${TREE:-false}" in
    true)
        for file in "${files[@]}"; do
            check verify-tree --json ${options[@]+"${options[@]}"} -- "$file"
        done
        ;;
    false) check verify --json ${options[@]+"${options[@]}"} -- "${files[@]}" ;;
    *)
        echo "the input tree is neither true nor false" >&2
        exit 2
        ;;
esac

if [ -n "${GITHUB_OUTPUT:-}" ]; then
    end=$(mark)
    printf 'report<<%s\n%s%s\n' "$end" "$reports" "$end" >>"$GITHUB_OUTPUT"
fi
exit "$status"
