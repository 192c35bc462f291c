#!/usr/bin/env bash
# A real file system under a book: a disk that is full, and the power that goes right after exit 0. Needs root and loop
# devices; everything is made below a temporary directory and removed. Counts are in docs/reliability.md.
#
#   scripts/real-disk.sh NOVEL [ROUNDS] [FILESYSTEM]
#
# NOVEL is the binary; ROUNDS (default 40) is how often the power goes; FILESYSTEM is ext4 (default), xfs or btrfs.
set -euo pipefail
novel=$(realpath "${1:?which binary?}")
rounds=${2:-40}
filesystem=${3:-ext4}
home=$(mktemp -d)
disk=$home/disk
later=$home/later
mkdir "$disk" "$later"

fail() { echo "FAILED: $*" >&2; exit 1; }
clean() {
  umount "$later" 2>/dev/null || true
  umount "$disk" 2>/dev/null || true
  rm -rf "$home"
}
trap clean EXIT

case $filesystem in
  ext4) size=48M; make=(mkfs.ext4 -q -F -m 0) ;;
  xfs) size=320M; make=(mkfs.xfs -q -f) ;;
  btrfs) size=128M; make=(mkfs.btrfs -q -f --mixed) ;;
  *) fail "$filesystem: not ext4, xfs or btrfs" ;;
esac
truncate -s "$size" "$home/image"
"${make[@]}" "$home/image"
mount -o loop "$home/image" "$disk"
written() { "$novel" --json --project "$1/book" status | grep -o '"last_completed_chapter":[0-9]*' | head -1 | cut -d: -f2; }
sound() { "$novel" --json --project "$1/book" doctor | grep -q '"findings":\[\]' || fail "$2: $("$novel" --project "$1/book" doctor 2>&1 | head -5)"; }
go_on() { "$novel" --project "$disk/book" continue "$@" >/dev/null 2>"$home/said"; }

"$novel" demo "$disk/book" --chapters 1 >/dev/null 2>&1
sync -f "$disk"

full=0 done_=0
for room in 0 4 8 16 32 48 64 96 128 160 200 250 300 400 600 1000; do
  "$novel" --project "$disk/book" rollback 1 >/dev/null 2>&1
  sync -f "$disk"
  free=$(df --output=avail -k "$disk" | tail -1)
  dd if=/dev/zero of="$disk/ballast" bs=1K count=$((free - room)) 2>/dev/null || true
  sync -f "$disk"
  if go_on; then done_=$((done_ + 1)); else full=$((full + 1)); fi
  rm -f "$disk/ballast"
  sync -f "$disk"
  # A step that failed twice waits for its author, as after any other failure.
  [ "$(written "$disk")" = 2 ] || go_on || go_on --retry || fail "no way on after a full disk with $room KB: $(cat "$home/said")"
  [ "$(written "$disk")" = 2 ] || fail "no chapter after a full disk with $room KB"
  sound "$disk" "full disk, $room KB"
done
echo "$filesystem, full disk: $full times refused, $done_ times done; afterwards it went on every time, doctor clean"

# What the file system has not written is not on the image: a copy of it is the disk after the power went.
for round in $(seq "$rounds"); do
  "$novel" --project "$disk/book" rollback 1 >/dev/null 2>&1
  go_on || fail "round $round: $(cat "$home/said")"
  cp --sparse=always "$home/image" "$home/copy"
  # xfs mounts no second file system of the same name unless it is told to.
  option=loop; [ "$filesystem" = xfs ] && option=loop,nouuid
  mount -o "$option" "$home/copy" "$later"
  touch "$disk/afterwards-$round"
  [ ! -e "$later/afterwards-$round" ] || fail "$filesystem shows the same disk twice"
  [ "$(written "$later")" = 2 ] || fail "round $round: the power went after exit 0, and the chapter with it"
  sound "$later" "power cut, round $round"
  umount "$later"
done
echo "$filesystem, power gone right after exit 0: $rounds of $rounds chapters there, doctor clean"
