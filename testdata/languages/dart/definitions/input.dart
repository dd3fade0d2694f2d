library foo.bar;
import 'dart:async';
import 'package:acme/other.dart' as o show A, B hide C;
export 'src/x.dart';
part 'a.g.dart';
part of 'main.dart';

/// Max.
const int maxCount = 10, other = 2;
final x = 1;
late String y;
typedef Handler<T> = void Function(T);
typedef int Old(int a);

/// A user.
@immutable
abstract class User<T extends Object> extends Base<T> with Mix, Mix2 implements Named {
  // int notOne() {}
  static const a = 1;
  final text = 'int norThis() {}';
  final String name;
  int? _hidden, two = 2;
  User(this.name, {required int id, this.z = 1}) : super(id);
  User.named(String n) : name = n;
  const factory User.make() = Other;
  String get full => name;
  set full(String v) { _hidden = 1; this.name = v; }
  @override
  Future<void> greet(User other, [int n = 1]) async { var v = helper(n); await v.call(); other.name = "x $name ${v.y}"; User.named("x"); new User("a"); }
  static int make2() => 1;
  void abs();
  operator ==(Object o) => true;
  external int ext();
}
mixin Mix on Base { void m() {} }
enum Color { red, green(1); const Color([this.v]); final int? v; void f() {} }
extension Ext on String { int get twice => 2; void e() {} }
extension type Id(int v) { void q() {} }
sealed class S {}
int free(int x) { int inner() => 1; final c = x; for (var i in xs) {} return inner(); }
int get top => 1;
set top(int v) {}
void main() { free(1)..a()..b = 2; a?.b(); switch (x) { case Color.red: break; } }
