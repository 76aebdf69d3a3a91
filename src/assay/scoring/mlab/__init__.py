"""What MLAgentBench measures of a run."""
