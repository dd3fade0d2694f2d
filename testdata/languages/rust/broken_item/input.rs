pub fn before() {}

pub fn damaged(x: i32 -> { let y = ; }

pub struct After {
    field: i32,
}

impl After {
    fn method(&self) {}
}
