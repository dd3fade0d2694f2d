; Keys are no names of code.
