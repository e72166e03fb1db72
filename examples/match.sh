#!/bin/sh
# A whole match by curl against a bot of the service: examples/match.sh http://127.0.0.1:8000
set -eu
TALON=${1:-${TALON:-http://127.0.0.1:8000}}/v1

field() { sed -E "s/.*\"$1\":\"([^\"]*)\".*/\1/"; }
new_key() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }
ask() { curl -sS --retry 5 --retry-connrefused -H "Authorization: Bearer $TOKEN" "$@"; }
# A key makes a repetition safe: curl sends the same one when it tries again.
tell() { ask -H 'Content-Type: application/json' -H "Idempotency-Key: $(new_key)" "$@"; }
# "legal" has commands that are ready to send; a wild stands there without its color.
first_legal() { sed -E 's/.*"legal":\[(\{[^}]*\}).*/\1/; s/("card":"W4?")\}/\1,"color":"red"}/'; }

TOKEN=$(curl -sSf "$TALON/players" -H 'Content-Type: application/json' -d '{"name": "Ann"}' | field token)
[ -n "$TOKEN" ] || exit 1 # curl has said why
MATCH=$(tell "$TALON/matches" -d '{"seats": 2, "bots": ["random"], "rules": {"target": 50}}' | field match_id)
tell -X POST "$TALON/matches/$MATCH/start" > /dev/null
echo "match $MATCH"

VERSION=0
while :; do
    VIEW=$(ask "$TALON/matches/$MATCH/view?wait=5" -H "If-None-Match: \"$VERSION.0\"")
    [ -n "$VIEW" ] || continue # nothing new: 304
    VERSION=$(echo "$VIEW" | sed -E 's/^\{"match_id":"[^"]*","version":([0-9]+).*/\1/')
    case $VIEW in
        *'"status":"running"'*) ;;
        *) break ;;
    esac
    case $VIEW in
        *'"legal":[{'*)
            COMMAND=$(echo "$VIEW" | first_legal)
            tell "$TALON/matches/$MATCH/commands" -d "$COMMAND" |
                grep -q '"receipt"' && echo "$VERSION: $COMMAND" || echo "$VERSION: not taken: $COMMAND"
            ;;
    esac
done
echo "$VIEW" | grep -o '"result":{[^}]*}'
