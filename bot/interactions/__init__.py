"""Every click and command on its way in: routed, limited, answered when it fails."""
