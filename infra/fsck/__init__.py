"""Looking through a whole database: whether what is stored is what was written."""
