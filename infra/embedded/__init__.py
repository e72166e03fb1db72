"""The service's own Postgres and Valkey: started, watched and stopped as child processes."""
