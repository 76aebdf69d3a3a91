"""Task folders of MLAgentBench, as they are."""
