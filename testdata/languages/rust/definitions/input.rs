//! A shop.

use crate::base::{self, Item as Thing, Seller};
use std::fmt;

/// How many fit.
pub const MAX: usize = 10;
static mut COUNT: u32 = 0;
const _: () = ();

/// A colour.
///
/// One of a few.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Colour {
    /// Like blood.
    Red = 1,
    Mixed { parts: Vec<Colour> },
    Named(String),
}

pub struct Shop<'a, T: Seller> {
    /// What is sold.
    pub items: Vec<T>,
    name: &'a str,
}

pub(crate) struct Pair(pub i32, i32);
struct Unit;
union Bits { a: u32, b: f32 }

impl<'a, T: Seller> Shop<'a, T> {
    pub const LIMIT: usize = 3;

    /// Opens the shop.
    pub fn new(name: &'a str) -> Self {
        const LOCAL: i32 = 1;
        type Inner = i32;
        struct Helper { field: Inner }
        fn inner() {}
        let f = |x: i32| { const DEEP: i32 = 1; x + DEEP };
        inner();
        Shop { items: Vec::new(), name }
    }

    async fn close(&mut self) { self.name = "x"; self.items.push(base::make::<T>()); }
}

impl<T: Seller> fmt::Display for Shop<'_, T> {
    type Out = i32;
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)
    }
}

impl Seller for [u8] { fn sell(&self) {} }
impl Seller for &'static mut dyn Elsewhere { fn sell(&self) {} }

pub trait Sells: Seller {
    type Price;
    const RATE: f32 = 0.5;
    fn price(&self) -> Self::Price;
    fn open(&self) -> bool { true }
}

type Result<T> = std::result::Result<T, Error>;

#[macro_export]
macro_rules! shop {
    ($name:expr) => { Shop::new($name) };
}

pub mod stock {
    pub fn count() -> u32 { 0 }
    mod deeper { pub struct Crate; }
}

mod elsewhere;

extern "C" {
    fn c_function(x: i32) -> i32;
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn works() { assert_eq!(stock::count(), 0); }
}
