#!/bin/sh
# The installed command trains a policy on generated data, and decides with it.
set -e
ifd data rings --cases 600 --split train -o train.npz --quiet
ifd data rings --cases 300 --split test -o test.npz --quiet
ifd experts simulate --training train.npz --predictions test.npz --expert ann=flat:.9/.5/.5 \
  --expert bob=variable:outer --context-per-class 10 --output made --quiet
ifd data rings --cases 300 --split val -o val.npz --quiet
ifd train --predictions train.npz --validation val.npz --context made/context.csv --epochs 2 -o policy.ifd
ifd evaluate --policy plug-in,policy.ifd --predictions test.npz --context made/context.csv --answers made/answers.csv --bootstrap 50
