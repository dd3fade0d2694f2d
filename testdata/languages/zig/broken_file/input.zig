const Before = struct {
    fn kept() void {}
};

const Damaged = struct {
    field: = 1,
    fn half( void {
        return self.
};

fn after() void { Before.kept(; }
