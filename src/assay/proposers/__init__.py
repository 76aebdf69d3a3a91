"""From a request to a candidate: a language model, or code mutation without any model."""
