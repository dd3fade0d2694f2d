//! Macros that hold items, and that make some.

use ::serde::Serialize;
use ::core::{fmt, mem as memory};

cfg_rt! {
    /// Runs.
    pub fn run() {}
    cfg_unstable!{
        pub mod metrics;
    }
}

ffi_fn! {
    fn open() -> *mut File {
        std::ptr::null_mut()
    } ?= fallback()
}

thread_local!(static CURRENT: u32 = const { 1 });

macro_rules! reader {
    ($name:ident, $reader:ident) => {
        reader!($name, $reader, 8);
    };
    ($(#[$attribute:meta])* $name:ident, $reader:ident, $size:expr) => {
        $(#[$attribute])*
        pub struct $name<R> {
            inner: R,
        }
        impl<R> $name<R> {
            fn new(inner: R) -> Self { Self { inner } }
        }
    };
}

reader!(ReadU8, get_u8);
reader! {
    /// Little endian.
    ReadI64, get_i64, 8
}

macro_rules! function {
    ($name:ident) => { pub fn $name() {} };
    ($($name:ident),*; $other:ident) => {};
}
function!(first);

macro_rules! none { ($x:expr) => { $x }; }
none!(first);

criterion_group!(benches, first, second);

pin_project! {
    #[project = TaskProj]
    enum Task { Done { #[pin] value: u32 } }
}

#[pin_project(project = PairProj)]
struct Pair(u32);

#[tokio::main(flavor = "current_thread")]
#[instrument]
#[inline]
fn main() { Pair::from(b"a"); Pair::from(()); }
