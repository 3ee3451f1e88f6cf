"""What the service can do beside monitoring: one file a capability, by name in `base.CAPABILITIES`."""
