# Sourced by the scripts beside this directory: a place for the book, and the program.
#   real_work [WORKDIR]: sets work and novel, and makes WORKDIR; real_book: sets book as well.
# NOVEL is the binary (default: target/release/novel, built if it is not there).
step() { printf '\n== %s ==\n' "$*"; }

# built BINARY PACKAGE: the path of a release binary of this repository, built if it is not there.
built() {
  local repository binary
  repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
  binary=$repository/target/release/$1
  if [ ! -x "$binary" ]; then
    (cd "$repository" && cargo build --release -p "$2" >&2)
  fi
  echo "$binary"
}

real_work() {
  work=${1:-$(mktemp -d "${TMPDIR:-/tmp}/novel-real.XXXXXX")}
  mkdir -p "$work"
  work=$(cd "$work" && pwd)
  novel=${NOVEL:-$(built novel novel-cli)}
  novel=$(cd "$(dirname "$novel")" && pwd)/$(basename "$novel")
}

real_book() {
  real_work "$@"
  book=$work/book
  if [ -e "$book" ]; then
    echo "there is a book in $work already" >&2
    exit 2
  fi
}
