#!/usr/bin/env bash
# Run by jpackage before it packs the tree in the current directory, which it has made of the self-contained directory: puts the
# command, man pages, completions and texts where the system looks for them. Needs SOURCE_DATE_EPOCH.
set -euo pipefail

home=usr/lib/pgstress
documents=usr/share/doc/pgstress
mkdir -p usr/bin "$documents"
ln -s ../lib/pgstress/bin/stress usr/bin/stress
cp -R "$home/share/." usr/share
rm -rf "$home/share"
for text in "$home"/*; do
  if [ -f "$text" ]; then mv "$text" "$documents"; fi
done
if [ -d usr/share/man ]; then find usr/share/man -type f -name '*.1' -exec gzip -9n {} +; fi
if [ -d DEBIAN ]; then
  find DEBIAN -type f ! -name control -delete # jpackage's scripts have nothing to do
fi
chmod -R u+w,go-w,a+rX usr
find . -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
