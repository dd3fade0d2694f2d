//! Doc.
const std = @import("std");
const other = @import("other.zig");
const Alloc = std.mem.Allocator;
/// Max.
pub const max: usize = 10;
var counter: u32 = 0;
threadlocal var tl: i32 = 1;
/// A user.
pub const User = struct {
    const Self = @This();
    // fn notOne() void {}
    id: u32,
    text: []const u8 = "fn norThis() void {}",
    name: []const u8 = "x",
    pub fn init(id: u32) User { return .{ .id = id }; }
    fn hidden(self: *Self, comptime T: type) !void { self.name = "y"; other.go(T); const v = helper(self.id); _ = v; try self.go(); }
    pub const Inner = enum(u8) { a, b = 2, pub fn f() void {} };
};
const U = union(enum) { x: i32, y: void };
const Err = error{ Foo, Bar };
const Op = opaque {};
pub fn helper(x: u32) u32 { return switch (x) { 1 => max, else => x + 1 }; }
pub fn List(comptime T: type) type { return struct { items: []T, pub fn push(self: *@This(), x: T) void {} }; }
extern fn cfn(a: c_int) void;
export fn ex() void {}
test "greets" { try std.testing.expect(true); const loc = 1; }
test helper { }
comptime { _ = x; }
pub usingnamespace @import("z.zig");
