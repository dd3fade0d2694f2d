#!/usr/bin/env ruby
# frozen_string_literal: true
require "set"
require_relative "base"

# Everything that is sold.
module Shop
  VERSION = "1.0"
  Point = Struct.new(:x, :y) do
    def distance = Math.sqrt(x * x + y * y)
  end

  # What can go wrong.
  class Error < StandardError; end

  class Item < Base::Record
    include Comparable
    attr_reader :name, :price # behind code
    attr_accessor :count
    class_attribute :kinds

    LIMITS = %w[a b].freeze

    @@made = 0

    # Makes an item.
    #
    # name:: what it is called
    def initialize(name, price = 0, *rest, key: nil, **options, &block)
      @name, @price = name, price
      @@made += 1
      $last = self
      super()
    end

    def price=(value)
      @price = value
    end

    def <=>(other) = price <=> other.price

    def [](key)
      @parts[key] || yield(key)
    end

    def sold?
      !!@sold
    end

    def self.build(...)
      new(...)
    end

    class << self
      def registry
        @registry ||= Set.new
      end
    end

    alias to_s name
    alias_method :title, :name
    define_method(:twice) { |x| [x, x].each { |y| send(:sold?, y) } }
    before_save :check, if: :sold?
  end
end

class Shop::Cart
  def each(&block) = @items.each(&block)
end

module Shop::Tax
  module_function

  def of(item)
    rate = item.price * 0.2
    Shop::Item::LIMITS.include?(rate)
  end
end

Shop::DEFAULT = Shop::Item.new("x")

def helper(*)
  case [1, [2, 3]]
  in [Integer => a, [b, *]] then a + b
  end
rescue Shop::Error => e
  warn "#{e.message} #{helper}"
end

helper
