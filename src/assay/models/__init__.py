"""Language models: clients, prices, record and replay."""
