# frozen_string_literal: true

# What runs: ROOT=project OUT=prefix ruby -r trace.rb TESTS. Written when the process ends:
#   PREFIX.calls.tsv   path line name, of each call in the project that ran; path line of what it called ("-" 0: not
#                      of the project)
#   PREFIX.consts.tsv  path line column name, of each constant in the files that were loaded; path line of its
#                      definition, as the loaded program finds it by the modules around

TRACE_ROOT = "#{File.realpath(ENV.fetch("ROOT"))}/"
TRACE_OUT = ENV.fetch("OUT")
TRACE_PROCESS = Process.pid

module CallTrace
  EDGES = {}
  SEEN = {}
  HOMES = {}

  # Where a method is defined that has no event of its own: attr_reader.
  def self.home(type, name)
    HOMES.fetch([type, name]) do |key|
      at = begin
        type.instance_method(name).source_location
      rescue NameError
        nil
      end
      HOMES[key] = at && [File.absolute_path(at[0]), at[1]]
    end
  end

  def self.note(path, line, name, file, at)
    path = File.absolute_path(path)
    return if !path.start_with?(TRACE_ROOT) || path.include?("<internal:")
    inside = file&.start_with?(TRACE_ROOT) && !file.include?("/<internal:")
    EDGES[[path.delete_prefix(TRACE_ROOT), line, name, *(inside ? [file.delete_prefix(TRACE_ROOT), at] : ["-", 0])]] = true
  end

  POINT = TracePoint.new(:call, :c_call) do |tp|
    if tp.event == :c_call
      key = [tp.path, tp.lineno, tp.method_id, tp.defined_class]
      next if SEEN[key] || tp.path.nil?
      SEEN[key] = true
      note(tp.path, tp.lineno, tp.callee_id, *(home(tp.defined_class, tp.method_id) || [nil, 0]))
    elsif (from = caller_locations(2, 1)&.first)
      key = [from.path, from.lineno, tp.callee_id, tp.path, tp.lineno]
      next if SEEN[key]
      SEEN[key] = true
      note(from.absolute_path || from.path, from.lineno, tp.callee_id, File.absolute_path(tp.path), tp.lineno)
    end
  end
end

# Constants: the tree of each loaded file, and the program's own answer for each place.
module ConstTrace
  Node = RubyVM::AbstractSyntaxTree::Node

  def self.safely
    yield
  rescue Exception
    nil
  end

  def self.walk(node, nest, rows, path)
    return unless node.is_a?(Node)
    case node.type
    when :MODULE, :CLASS then return walk_type(node, nest, rows, path)
    when :SCLASS
      walk(node.children[0], nest, rows, path)
      return walk(node.children[1], nest.empty? ? nest : [nest.first.singleton_class] + nest, rows, path)
    when :CONST
      return note(node, node.children[0], home(node.children[0], nest), rows, path, node.first_lineno, node.first_column)
    when :COLON2
      base, name = node.children
      walk(base, nest, rows, path)
      return unless name.match?(/\A[A-Z]/)
      owner = value(base, nest)
      at = owner.is_a?(Module) ? place(owner, name) : nil
      return note(node, name, at, rows, path, node.last_lineno, node.last_column - name.to_s.bytesize)
    when :COLON3
      name = node.children[0]
      return note(node, name, place(Object, name), rows, path, node.last_lineno, node.last_column - name.to_s.bytesize)
    end
    node.children.flatten.each { |child| walk(child, nest, rows, path) }
  end

  def self.walk_type(node, nest, rows, path)
    cpath, superclass, body = node.type == :CLASS ? node.children : [node.children[0], nil, node.children[1]]
    base, name = cpath.type == :COLON3 ? [:top, cpath.children[0]] : cpath.children
    walk(base, nest, rows, path)
    owner = base.is_a?(Node) ? value(base, nest) : (base == :top ? Object : (nest.first || Object))
    walk(superclass, nest, rows, path)
    type = owner.is_a?(Module) ? safely { owner.const_get(name, false) } : nil
    walk(body, [type] + nest, rows, path) if type.is_a?(Module)
  end

  def self.owner_of(name, nest)
    safely do
      nest.find { |type| !type.equal?(Object) && type.const_defined?(name, false) } ||
        nest.first&.ancestors&.find { |type| type.const_defined?(name, false) } ||
        (Object if Object.const_defined?(name))
    end
  end

  def self.home(name, nest)
    owner = owner_of(name, nest)
    owner && place(owner, name)
  end

  def self.place(owner, name)
    safely do
      owner.const_get(name) if owner.autoload?(name)
      at = owner.const_source_location(name)
      at && (at.empty? || !File.file?(at[0].to_s) ? ["-", 0] : at)
    end
  end

  def self.value(node, nest)
    safely do
      case node.type
      when :CONST then owner_of(node.children[0], nest)&.const_get(node.children[0])
      when :COLON2 then value(node.children[0], nest)&.const_get(node.children[1])
      when :COLON3 then Object.const_get(node.children[0])
      when :SELF then nest.first
      end
    end
  end

  def self.note(_node, name, at, rows, path, line, column)
    return if at.nil?
    file = at[0] == "-" ? "-" : File.absolute_path(at[0])
    file = file.start_with?(TRACE_ROOT) ? file.delete_prefix(TRACE_ROOT) : "-"
    rows << [path, line, column + 1, name, file, file == "-" ? 0 : at[1]]
  end

  def self.all
    loaded = $LOADED_FEATURES + [$PROGRAM_NAME] + CallTrace::EDGES.keys.map { |edge| TRACE_ROOT + edge[0] }
    loaded = loaded.map { |file| File.absolute_path(file) }.uniq
    rows = []
    loaded.select { |file| file.start_with?(TRACE_ROOT) && file.end_with?(".rb") && File.file?(file) }.each do |file|
      tree = safely { RubyVM::AbstractSyntaxTree.parse_file(file) }
      walk(tree, [], rows, file.delete_prefix(TRACE_ROOT))
    end
    rows.uniq
  end
end

# (What runs at the end runs backwards: minitest's tests before this.)
at_exit do
  at_exit do
    CallTrace::POINT.disable
    next unless TRACE_PROCESS == Process.pid
    {"calls" => CallTrace::EDGES.keys, "consts" => ConstTrace.all}.each do |what, rows|
      File.write("#{TRACE_OUT}.#{what}.tsv", rows.map { |row| "#{row.join("\t")}\n" }.join)
    end
  end
end
CallTrace::POINT.enable
