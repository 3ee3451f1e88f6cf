"""What our web services share: database and migrations, guards, secrets, pages, and the server that runs them."""
