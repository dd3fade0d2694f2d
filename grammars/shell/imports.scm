; source a.sh; . ./a.sh
(command
  name: (command_name (word) @_c)
  argument: (_) @source
  (#any-of? @_c "source" ".")) @import.include
