#!/usr/bin/env bash
# The Debian packages, as an empty machine meets them, and the Python package by pip and with all that it
# goes together with: debian_packages_test.sh SOURCE. After `./run package`, as root, with the network.
set -euo pipefail
source=$1
packages="$source/build/package"
work=$(mktemp -d "$source/build/package_test.XXXXXX")
trap 'umount "$work/empty/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
step() { printf 'packages: %s\n' "$*"; }
fail() {
  printf 'packages: %s\n' "$*" >&2
  exit 1
}
# logged COMMAND...: its words go to a log, the end of which is shown if it fails.
logged() {
  "$@" >"$work/log" 2>&1 || fail "'$*' failed: $(tail -n 30 "$work/log")"
}
((EUID == 0)) || fail "an empty Debian is made by root only; run this as root"

for package in ifd ifd-train libifd-dev python3-ifd; do
  compgen -G "$packages/${package}_*.deb" >/dev/null || fail "there is no package $package in $packages; ./run package"
done

lintian --allow-root --fail-on error --tag-display-limit 0 "$packages"/*.deb >"$work/lintian" ||
  fail "lintian finds errors: $(grep '^E:' "$work/lintian")"
step "lintian: no errors, $(grep -c '^W:' "$work/lintian" || true) warnings"

# Where this machine has its own packages from.
mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT) $(ORIGIN)' 'Created-By: Packages' |
  awk '$2 == "bookworm" && $3 == "main" { print $1; exit }')
[[ $mirror ]] || fail "apt knows no archive of bookworm"
empty="$work/empty"
step "an empty Debian"
logged debootstrap --variant=minbase bookworm "$empty" "$mirror"
# Programs find themselves, and what is installed beside them, in /proc.
mount -t proc proc "$empty/proc"
mkdir "$empty/packages"
cp "$packages"/*.deb "$empty/packages"
cp -r "$source/tests/consumer" "$source/python/tests/installed" "$empty/packages"
[[ ! -e /etc/apt/apt.conf.d/proxy.conf ]] || cp /etc/apt/apt.conf.d/proxy.conf "$empty/etc/apt/apt.conf.d"
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$empty" "$@"; }
# The package's file, as it is called inside.
file_of() { (cd "$packages" && echo "$1"_*.deb) | sed 's,^,/packages/,'; }
install_inside() { logged inside apt-get -q install -y --no-install-recommends "$@"; }

# The command and the module need nothing of LibTorch.
step "ifd and python3-ifd"
logged inside apt-get -q update
install_inside "$(file_of ifd)" "$(file_of python3-ifd)"
if inside dpkg-query -W -f '${Package}\n' | grep torch; then fail "python3-ifd brings LibTorch along"; fi
logged inside ifd --version
logged inside ifd demo -o /root/demo
said=$(cd / && inside python3 /packages/installed/routes.py)
expected=$("$source/run" python "$source/python/tests/installed/routes.py")
[[ $said == "$expected" ]] || fail "the installed package says '$said'; the tree's says '$expected'"
logged inside python3 /packages/installed/no_training.py

step "ifd-train"
install_inside "$(file_of ifd-train)"
logged inside sh -c 'cd /root && sh /packages/installed/train.sh'
logged inside python3 /packages/installed/training.py

step "libifd-dev"
install_inside "$(file_of libifd-dev)" g++ cmake ninja-build
logged inside sh -c 'cmake -G Ninja -S /packages/consumer -B /root/consumer && cmake --build /root/consumer'

logged inside apt-get -q purge -y ifd ifd-train libifd-dev python3-ifd
left=$(inside find /usr -iname '*ifd*' -not -path '/usr/share/doc/*' -not -path '/usr/src/*')
[[ -z $left ]] || fail "after purging there is still: $left"

step "pip"
/usr/bin/python3 -m venv --system-site-packages "$work/venv"
logged "$work/venv/bin/pip" install --no-build-isolation --no-index "$source"
(cd / && "$work/venv/bin/python" "$source/python/tests/installed/routes.py") >"$work/said"
[[ $(cat "$work/said") == "$expected" ]] || fail "what pip installed says '$(cat "$work/said")'"
logged "$work/venv/bin/pip" wheel --no-build-isolation --no-index --no-deps --wheel-dir "$work/wheels" "$source"
compgen -G "$work/wheels/ifd-*.whl" >/dev/null || fail "pip wheel makes no wheel"

# Here nothing may be skipped for want of a package but PyTorch, whose place LibTorch has; the command that
# the packages were made of has the program that learns beside it.
step "the tests of the Python package, with all its companions"
command=$(echo "$packages"/ifd-*/build/release/ifd)
IFD_COMMAND="$command" "$source/run" python -m pytest -q -rs -p no:cacheprovider "$source/python/tests" 2>&1 | tee "$work/tests"
if grep -E "could not import|is not installed|there is no ifd-train" "$work/tests" | grep -v torch; then
  fail "tests were skipped for want of a package"
fi
