"""The metering gateway: the only way from an agent's program to a model, and the place where its calls are counted."""
