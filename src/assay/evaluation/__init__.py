"""One candidate on one split: the sandboxed performance, the trusted grade, and checks built on them."""
