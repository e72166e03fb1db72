"""Views, hints and boards on Redis (7 or newer) or Valkey: fast, and disposable at any moment."""
