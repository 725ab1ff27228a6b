"""What a language needs: script, fonts by role, breaking, hyphens, quotes; and its translations."""
