"""Ready pictures of cards: what they tell of cards, and the project that is made of them."""
