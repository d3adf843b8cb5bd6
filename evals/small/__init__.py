"""Real small models on this machine: how they are served, and what they do when the rules choose the lines and they word them."""
