// Writes what Go's standard library declares: one stub file a package, exported declarations with
// their types, without bodies and comments. See ../README.md.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

// Declarations that these systems add are in the stubs too; of two that differ, the first counts.
var systems = []string{"linux", "darwin", "windows"}

// unit is the stub of one package.
type unit struct {
	path, name string
	imports    map[string]string // path: name
	done       map[string]bool   // objects that are written
	waiting    []types.Object    // those that are still to be written
	values     map[string][]string
	text       bytes.Buffer
}

// writer makes the units of all packages.
type writer struct {
	units map[string]*unit
	at    *unit // whose text is written
}

func (w *writer) unitOf(pkg *types.Package) *unit {
	u := w.units[pkg.Path()]
	if u == nil {
		u = &unit{path: pkg.Path(), name: pkg.Name(), imports: map[string]string{},
			done: map[string]bool{}, values: map[string][]string{}}
		w.units[pkg.Path()] = u
	}
	return u
}

// need has an object written: what others mention, though it is not exported or its package is
// internal.
func (w *writer) need(obj types.Object) {
	u := w.unitOf(obj.Pkg())
	if !u.done[obj.Name()] {
		u.done[obj.Name()] = true
		u.waiting = append(u.waiting, obj)
	}
}

func (w *writer) qualifier(pkg *types.Package) string {
	if pkg.Path() == w.at.path {
		return ""
	}
	w.at.imports[pkg.Path()] = pkg.Name()
	return pkg.Name()
}

// mention marks the named types inside `t` as needed.
func (w *writer) mention(t types.Type, seen map[types.Type]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	again := func(inner types.Type) { w.mention(inner, seen) }
	tuple := func(list *types.Tuple) {
		for v := range list.Variables() {
			again(v.Type())
		}
	}
	switch t := t.(type) {
	case *types.Named:
		if t.Obj().Pkg() != nil {
			w.need(t.Origin().Obj())
		}
		for arg := range t.TypeArgs().Types() {
			again(arg)
		}
	case *types.Alias:
		if t.Obj().Pkg() != nil {
			w.need(t.Origin().Obj())
		}
		for arg := range t.TypeArgs().Types() {
			again(arg)
		}
	case *types.Pointer:
		again(t.Elem())
	case *types.Slice:
		again(t.Elem())
	case *types.Array:
		again(t.Elem())
	case *types.Chan:
		again(t.Elem())
	case *types.Map:
		again(t.Key())
		again(t.Elem())
	case *types.Signature:
		for p := range t.TypeParams().TypeParams() {
			again(p.Constraint())
		}
		tuple(t.Params())
		tuple(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				again(f.Type())
			}
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			again(m.Type())
		}
		for e := range t.EmbeddedTypes() {
			again(e)
		}
	case *types.Union:
		for term := range t.Terms() {
			again(term.Type())
		}
	}
}

// typeText is a type as the stub says it: fields that are not exported are left out.
func (w *writer) typeText(t types.Type) string {
	w.mention(t, map[types.Type]bool{})
	return types.TypeString(reduced(t), w.qualifier)
}

// reduced leaves out of a struct what no other package can name, and the names of parameters.
func reduced(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Pointer:
		return types.NewPointer(reduced(t.Elem()))
	case *types.Slice:
		return types.NewSlice(reduced(t.Elem()))
	case *types.Map:
		return types.NewMap(reduced(t.Key()), reduced(t.Elem()))
	case *types.Struct:
		var fields []*types.Var
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				fields = append(fields,
					types.NewField(token.NoPos, f.Pkg(), f.Name(), reduced(f.Type()), f.Embedded()))
			}
		}
		return types.NewStruct(fields, nil)
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, unnamed(t.Params()), unnamed(t.Results()),
			t.Variadic())
	}
	return t
}

func unnamed(list *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range list.Variables() {
		vars = append(vars, types.NewParam(token.NoPos, v.Pkg(), "", reduced(v.Type())))
	}
	return types.NewTuple(vars...)
}

func (w *writer) typeParams(list *types.TypeParamList) string {
	if list.Len() == 0 {
		return ""
	}
	var parts []string
	for p := range list.TypeParams() {
		w.mention(p.Constraint(), map[types.Type]bool{})
		parts = append(parts, p.Obj().Name()+" "+types.TypeString(p.Constraint(), w.qualifier))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// signature is "(A, B) C".
func (w *writer) signature(t *types.Signature) string {
	return strings.TrimPrefix(w.typeText(types.NewSignatureType(nil, nil, nil, t.Params(),
		t.Results(), t.Variadic())), "func")
}

func (w *writer) interfaceText(t *types.Interface) string {
	var lines []string
	for e := range t.EmbeddedTypes() {
		lines = append(lines, w.typeText(e))
	}
	for m := range t.ExplicitMethods() {
		lines = append(lines, m.Name()+w.signature(m.Signature()))
	}
	if len(lines) == 0 {
		return "interface{}"
	}
	return "interface {\n" + strings.Join(lines, "\n") + "\n}"
}

func (w *writer) write(obj types.Object) {
	out := &w.at.text
	switch obj := obj.(type) {
	case *types.Const:
		kind := ""
		if t, ok := obj.Type().(*types.Basic); !ok || t.Info()&types.IsUntyped == 0 {
			kind = " " + w.typeText(obj.Type())
		}
		value := " = 0"
		if t, ok := obj.Type().Underlying().(*types.Basic); ok {
			switch {
			case t.Info()&types.IsString != 0:
				value = ` = ""`
			case t.Info()&types.IsBoolean != 0:
				value = " = true"
			case t.Info()&types.IsFloat != 0:
				value = " = 0.0"
			}
		}
		w.at.values[kind+value] = append(w.at.values[kind+value], obj.Name())
	case *types.Var:
		fmt.Fprintf(out, "var %s %s\n", obj.Name(), w.typeText(obj.Type()))
	case *types.Func:
		s := obj.Signature()
		fmt.Fprintf(out, "func %s%s%s\n", obj.Name(), w.typeParams(s.TypeParams()), w.signature(s))
	case *types.TypeName:
		w.writeType(obj)
	}
}

func (w *writer) writeType(obj *types.TypeName) {
	out := &w.at.text
	if alias, ok := obj.Type().(*types.Alias); ok {
		fmt.Fprintf(out, "type %s%s = %s\n", obj.Name(), w.typeParams(alias.TypeParams()),
			w.typeText(alias.Rhs()))
		return
	}
	named, ok := obj.Type().(*types.Named)
	if !ok { // unsafe.Pointer
		fmt.Fprintf(out, "type %s *int\n", obj.Name())
		return
	}
	text := ""
	if inner, ok := named.Underlying().(*types.Interface); ok {
		text = w.interfaceText(inner)
	} else {
		text = w.typeText(named.Underlying())
	}
	fmt.Fprintf(out, "type %s%s %s\n", obj.Name(), w.typeParams(named.TypeParams()), text)
	w.writeMethods(named)
}

func (w *writer) writeMethods(named *types.Named) {
	for m := range named.Methods() {
		s := m.Signature()
		key := named.Obj().Name() + "." + m.Name()
		if !m.Exported() || w.at.done[key] {
			continue
		}
		w.at.done[key] = true
		receiver := types.TypeString(s.Recv().Type(), func(*types.Package) string { return "" })
		fmt.Fprintf(&w.at.text, "func (r %s) %s%s\n", receiver, m.Name(), w.signature(s))
	}
}

// add writes what `pkg` exports and what that mentions.
func (w *writer) add(pkg *types.Package) {
	w.unitOf(pkg)
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() {
			continue
		}
		w.need(obj)
		// Methods that another system adds.
		if named, ok := obj.Type().(*types.Named); ok && obj.Pkg() == pkg {
			if _, is := obj.(*types.TypeName); is && w.unitOf(pkg).text.Len() > 0 {
				w.at = w.unitOf(pkg)
				if w.at.done[name] && !contains(w.at.waiting, obj) {
					w.writeMethods(named)
				}
			}
		}
	}
}

func contains(list []types.Object, obj types.Object) bool {
	for _, o := range list {
		if o == obj {
			return true
		}
	}
	return false
}

// finish writes all that waits.
func (w *writer) finish() {
	for {
		var open []*unit
		for _, u := range w.units {
			if len(u.waiting) > 0 {
				open = append(open, u)
			}
		}
		if len(open) == 0 {
			return
		}
		sort.Slice(open, func(i, j int) bool { return open[i].path < open[j].path })
		for _, u := range open {
			w.at = u
			list := u.waiting
			u.waiting = nil
			sort.Slice(list, func(i, j int) bool { return list[i].Name() < list[j].Name() })
			for _, obj := range list {
				w.write(obj)
			}
		}
	}
}

func (u *unit) source() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "package %s\n", u.name)
	var paths []string
	for path := range u.imports {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	if len(paths) > 0 {
		out.WriteString("import (\n")
		for _, path := range paths {
			if name := u.imports[path]; name != path[strings.LastIndex(path, "/")+1:] {
				out.WriteString(name + " ")
			}
			fmt.Fprintf(&out, "%q\n", path)
		}
		out.WriteString(")\n")
	}
	var kinds []string
	for kind := range u.values {
		kinds = append(kinds, kind)
	}
	sort.Strings(kinds)
	for _, kind := range kinds {
		out.WriteString("const (\n")
		for _, name := range u.values[kind] {
			out.WriteString(name + kind + "\n")
		}
		out.WriteString(")\n")
	}
	out.Write(u.text.Bytes())
	return out.Bytes()
}

// declarations gives a file's declarations without bodies and comments: what has no types of its
// own, the packages builtin and unsafe.
func declarations(path string) []byte {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
	if err != nil {
		log.Fatal(err)
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			f.Body = nil
		}
	}
	var out bytes.Buffer
	if err := format.Node(&out, fset, file); err != nil {
		log.Fatal(err)
	}
	return out.Bytes()
}

func main() {
	log.SetFlags(0)
	to := flag.String("out", "", "folder that the stubs are written to")
	flag.Parse()
	listed, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		log.Fatal(err)
	}
	w := &writer{units: map[string]*unit{}}
	build.Default.CgoEnabled = false
	build.Default.GOARCH = "amd64"
	for _, system := range systems {
		build.Default.GOOS = system
		source := importer.ForCompiler(token.NewFileSet(), "source", nil)
		for _, path := range strings.Fields(string(listed)) {
			if strings.Contains("/"+path+"/", "/internal/") || strings.HasPrefix(path, "vendor/") ||
				path == "unsafe" || path == "builtin" {
				continue
			}
			pkg, err := source.Import(path)
			if err != nil {
				log.Printf("%s on %s: %v", path, system, err)
				continue
			}
			w.add(pkg)
		}
		w.finish()
	}
	write := func(path string, text []byte) {
		file := filepath.Join(*to, path+".go")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
	for path, u := range w.units {
		write(strings.TrimPrefix(path, "vendor/"), u.source())
	}
	root := filepath.Join(build.Default.GOROOT, "src")
	write("builtin", declarations(filepath.Join(root, "builtin", "builtin.go")))
	write("unsafe", declarations(filepath.Join(root, "unsafe", "unsafe.go")))
}
