#!/bin/sh
# Counts the entries of a list: count.sh tools list.json
jq --arg list "$1" '.[$list] | length' "$2"
