# frozen_string_literal: true

# Writes src/graph/ruby/library.txt: what Ruby itself has. Run by ruby --disable-gems core.rb > library.txt
core = Object.constants - %i[ARGF ENV SortedSet RUBY_ENGINE RubyVM DidYouMean ErrorHighlight SyntaxSuggest]
core = core.reject { |name| name.to_s.start_with?("RUBY_") }

require "date"
require "logger"
require "pathname"
require "set"
require "stringio"
require "tempfile"
require "time"
require "uri"

classes = core.map { |name| Object.const_get(name) }.grep(Module) + [Date, Logger, Pathname, Set, StringIO, Tempfile, URI, URI::Generic]
nested = classes.flat_map { |type| type.constants(false).reject { |name| type.autoload?(name) }.map { |name| type.const_get(name) }.grep(Module) }
members = (classes + nested).uniq.flat_map { |type| type.instance_methods + type.singleton_methods }
members |= Object.instance_methods + Class.instance_methods + Module.private_instance_methods(false)
private_names = Kernel.private_instance_methods + Module.private_instance_methods + [:lambda, :proc]

def words(title, note, names)
  lines = [+""]
  names.map(&:to_s).uniq.sort.grep(/\A[A-Za-z_]/).each do |name|
    name = name.delete_suffix("=")
    next if lines.last.end_with?(" #{name}") || lines.last == name
    lines << +"" if lines.last.size + name.size > 100
    lines.last << (lines.last.empty? ? "" : " ") << name
  end
  puts "", "# #{note}", "[#{title}]", lines
end

puts "# What is known of the library of Ruby #{RUBY_VERSION}, by bench/tables/ruby/core.rb: core/library_tables.h has",
     "# the format."
words("members", "Methods of its classes, and of some that are required: a value of unknown type may have them.", members)
words("globals", "Methods that every object has for itself, and every class.", private_names + Object.instance_methods)
words("class_members", "Methods of every class and module.", Class.instance_methods)
words("constants", "Its constants.", Object.constants & (core + %i[ENV ARGF RubyVM]))
