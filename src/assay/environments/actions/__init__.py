"""The actions of the environment, by the names and arguments that MLAgentBench gave them."""
