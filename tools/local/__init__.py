"""Tables without Discord: `make play`, in the browser."""
