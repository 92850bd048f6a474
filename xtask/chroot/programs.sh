# Runs the programs that are installed in the root. INPUT is the program of xtask, EXTRA the name of one of them.
set -eu
exec "$INPUT" programs --suite installed $EXTRA
