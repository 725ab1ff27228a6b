"""Cards: a game's kinds and catalogues, face templates, and the Scene each card becomes."""
