; Names, calls and imports are read by forms.h.
