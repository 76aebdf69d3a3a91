"""Where numbers can come from: raw result files, logs, an agent's trace, recorded processes."""
