import Foundation
import struct Foo.Bar
@testable import Mine

/// Max.
public let maxCount = 10
var a = 1, b: Int = 2
typealias Handler<T> = (T) -> Void

/// A user.
@MainActor
public final class User<T: Codable>: Base, Named where T: Hashable {
  static let shared = User()
  @Published private(set) var name: String = "" { didSet { print(name) } }
  var full: String { return name }
  lazy var lz = { 1 }()
  init(name: String, _ id: Int = 0) { self.name = name; super.init() }
  convenience init?(x: Int) { nil }
  deinit { }
  func greet(to other: User, times n: Int) throws -> String { other.name = "x"; let v = helper(n); return "hi \(name) \(v.call())" }
  static func make() -> User { User(name: "a") }
  class func cm() {}
  subscript(i: Int) -> Int { get { 1 } set { } }
  enum Color: String, CaseIterable { case red = "r", green; case rgb(Int, g: Int); indirect case deep(Color); func f() {} }
  struct In { let z = 1 }
  // func notOne() {}
  let text = "func norThis() {}"
  static func < (a: Int, b: Int) -> Bool { true }
}
public protocol Named: AnyObject { associatedtype Item; var name: String { get set }; func greet() -> Item; init(x: Int); static var q: Int { get } }
extension User: Runnable where T == Int { func run() {}
  var e: Int { 1 }
 }
struct S { let x: Int; var y = 2; mutating func m() {} }
actor Act { func f() async {} }
func free(_ x: Int) -> Int { func inner() {}; let c = x; if let q = opt, case .red = q { }; guard let z = y else { return 1 }; for i in 0..<3 { }; return Color.red.f() }
infix operator <+>: AdditionPrecedence
precedencegroup Foo { higherThan: Bar }
macro m() = #externalMacro(module: "A", type: "B")
let f = { (x: Int) -> Int in x + 1 }
#if DEBUG
func dbg() {}
#endif
