"""Starts the real NGINX, module and processor, and talks to them."""
