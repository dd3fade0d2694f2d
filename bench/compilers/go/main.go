// Command go prints what Go's type checker knows of every identifier of a repository, as bench/accuracy.md says.
//
//	go run . DIR > rows.jsonl
//
// All modules below DIR are loaded with their tests, third parties through the module proxy. Files that the build
// leaves out (tags, GOOS, cgo, testdata) are only parsed: their definitions are told, their names are unknown.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"
)

type row map[string]any

type oracle struct {
	root    string
	fset    *token.FileSet
	out     *json.Encoder
	lines   map[string][]string // text of a file by its lines, for columns in UTF-16
	modules map[string]string   // module path -> folder
	done    map[string]bool     // files whose rows were printed
	defined map[string]bool     // places of definitions that were printed
	classes []*types.Named
	faces   []*types.Interface
	errors  int
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run . DIR")
		os.Exit(2)
	}
	root, err := filepath.EvalSymlinks(os.Args[1])
	check(err)
	root, err = filepath.Abs(root)
	check(err)
	buffer := bufio.NewWriterSize(os.Stdout, 1<<20)
	o := &oracle{root: root, fset: token.NewFileSet(), out: json.NewEncoder(buffer), lines: map[string][]string{},
		modules: map[string]string{}, done: map[string]bool{}, defined: map[string]bool{}}
	o.out.SetEscapeHTML(false)
	files, folders := o.list()
	for _, folder := range folders {
		o.load(folder)
	}
	for _, file := range files {
		if !o.done[file] {
			o.untaken(file)
		}
	}
	o.families()
	check(buffer.Flush())
	fmt.Fprintf(os.Stderr, "%d files, %d modules, %d errors of the compiler\n", len(files), len(folders), o.errors)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// All Go files, and the folders of modules: those nearer to the root first.
func (o *oracle) list() (files, folders []string) {
	check(filepath.WalkDir(o.root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() && (base == ".git" || base == "node_modules" || base == "vendor") {
			return filepath.SkipDir
		}
		if base == "go.mod" && entry.Type().IsRegular() {
			folder := filepath.Dir(name)
			text, err := os.ReadFile(name)
			if module := modfile.ModulePath(text); err == nil && module != "" {
				o.modules[module], _ = filepath.Rel(o.root, folder)
				folders = append(folders, folder)
			}
		}
		if strings.HasSuffix(base, ".go") && entry.Type().IsRegular() {
			files = append(files, name)
		}
		return nil
	}))
	sort.SliceStable(folders, func(a, b int) bool {
		return strings.Count(folders[a], "/") < strings.Count(folders[b], "/")
	})
	return files, folders
}

func (o *oracle) load(folder string) {
	flags, scratch := o.flags(folder)
	defer os.RemoveAll(scratch)
	config := &packages.Config{Dir: folder, Fset: o.fset, Tests: true, Env: append(os.Environ(), "CGO_ENABLED=0"), BuildFlags: flags,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo}
	loaded, err := packages.Load(config, "./...")
	if also := o.passedOver(loaded); err == nil && len(also) > 0 {
		loaded, err = packages.Load(config, append(also, "./...")...)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, folder, err)
		return
	}
	// A package with its tests comes before the same package without them.
	sort.SliceStable(loaded, func(a, b int) bool {
		return strings.Contains(loaded[a].ID, " [") && !strings.Contains(loaded[b].ID, " [")
	})
	for _, p := range loaded {
		if p.TypesInfo == nil || strings.HasSuffix(p.ID, ".test") {
			continue
		}
		for _, e := range p.Errors {
			o.errors++
			if o.errors < 20 {
				fmt.Fprintln(os.Stderr, e)
			}
		}
		o.collect(p.Types)
		for _, file := range p.Syntax {
			name := o.fset.PositionFor(file.Package, false).Filename
			if o.relative(name) != "" && !o.done[name] {
				o.done[name] = true
				o.file(name, file, p)
			}
		}
		for node, value := range p.TypesInfo.Types {
			if _, ok := node.(*ast.InterfaceType); ok {
				if face, ok := value.Type.(*types.Interface); ok {
					o.faces = append(o.faces, face)
				}
			}
		}
	}
}

// Packages of the repository that "./..." leaves out (testdata, _name) and others import.
func (o *oracle) passedOver(loaded []*packages.Package) (patterns []string) {
	initial := map[string]bool{}
	for _, p := range loaded {
		initial[p.PkgPath] = true
	}
	packages.Visit(loaded, nil, func(p *packages.Package) {
		if len(p.GoFiles) > 0 && !initial[p.PkgPath] && o.relative(p.GoFiles[0]) != "" && !o.done[p.GoFiles[0]] {
			initial[p.PkgPath] = true
			patterns = append(patterns, filepath.Dir(p.GoFiles[0]))
		}
	})
	return patterns
}

// Lets go complete a copy of go.mod where no workspace is in charge; the repository stays as it is.
func (o *oracle) flags(folder string) (flags []string, scratch string) {
	for at := folder; o.relative(at) != ""; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.work")); err == nil {
			return nil, ""
		}
	}
	scratch, err := os.MkdirTemp("", "go-oracle")
	check(err)
	for _, name := range []string{"go.mod", "go.sum"} {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err == nil {
			check(os.WriteFile(filepath.Join(scratch, name), text, 0o600))
		}
	}
	return []string{"-mod=mod", "-modfile=" + filepath.Join(scratch, "go.mod")}, scratch
}

func (o *oracle) collect(p *types.Package) {
	scopes := []*types.Scope{p.Scope()}
	for len(scopes) > 0 {
		scope := scopes[len(scopes)-1]
		scopes = scopes[:len(scopes)-1]
		for i := range scope.NumChildren() {
			scopes = append(scopes, scope.Child(i))
		}
		for _, name := range scope.Names() {
			if t, ok := scope.Lookup(name).(*types.TypeName); ok && !t.IsAlias() {
				if named, ok := t.Type().(*types.Named); ok {
					o.classes = append(o.classes, named)
				}
			}
		}
	}
}

// The path below the root with slashes, "" for what lies elsewhere.
func (o *oracle) relative(name string) string {
	r, err := filepath.Rel(o.root, name)
	if err != nil || r == ".." || strings.HasPrefix(r, "../") {
		return ""
	}
	return filepath.ToSlash(r)
}

// "path:line:column" of a place in the repository, else "".
func (o *oracle) at(pos token.Pos) string {
	if !pos.IsValid() {
		return ""
	}
	p := o.fset.PositionFor(pos, false)
	name := o.relative(p.Filename)
	if name == "" {
		return ""
	}
	lines, ok := o.lines[name]
	if !ok {
		text, _ := os.ReadFile(p.Filename)
		lines = strings.Split(string(text), "\n")
		o.lines[name] = lines
	}
	column := p.Column
	if p.Line <= len(lines) && column-1 <= len(lines[p.Line-1]) {
		column = len(utf16.Encode([]rune(lines[p.Line-1][:column-1]))) + 1
		if p.Line == 1 && strings.HasPrefix(lines[0], "\ufeff") && column > 1 {
			column--
		}
	}
	return fmt.Sprintf("%s:%d:%d", name, p.Line, column)
}

func (o *oracle) line(pos token.Pos) int { return o.fset.PositionFor(pos, false).Line }

func (o *oracle) print(r row) { check(o.out.Encode(r)) }

func (o *oracle) untaken(name string) {
	file, _ := parser.ParseFile(o.fset, name, nil, parser.SkipObjectResolution)
	if file == nil {
		o.print(row{"row": "file", "path": o.relative(name), "taken": false})
		return
	}
	o.file(name, file, nil)
}

// Rows of one file; `p` is nil for one that the compiler did not take.
func (o *oracle) file(name string, file *ast.File, p *packages.Package) {
	o.print(row{"row": "file", "path": o.relative(name), "taken": p != nil})
	for _, spec := range file.Imports {
		o.imported(name, spec, p)
	}
	for _, declaration := range file.Decls {
		o.declaration(declaration)
	}
	function := ""
	var stack []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			if _, ok := stack[len(stack)-1].(*ast.FuncDecl); ok {
				function = ""
			}
			stack = stack[:len(stack)-1]
			return true
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			function = o.at(n.Name.Pos())
		case *ast.Ident:
			if n.Name != "_" && n != file.Name {
				o.identifier(n, stack, function, p)
			}
		}
		stack = append(stack, n)
		return true
	})
}

func (o *oracle) imported(name string, spec *ast.ImportSpec, p *packages.Package) {
	written, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return
	}
	r := row{"row": "import", "path": o.relative(name), "line": o.line(spec.Pos()), "spec": written}
	folder := ""
	if p != nil {
		if to := p.Imports[written]; to != nil && len(to.GoFiles) > 0 {
			folder = o.relative(filepath.Dir(to.GoFiles[0]))
		}
	} else {
		longest := ""
		for module, at := range o.modules {
			if (written == module || strings.HasPrefix(written, module+"/")) && len(module) >= len(longest) {
				longest, folder = module, path.Join(at, strings.TrimPrefix(written, module))
			}
		}
		if entries, _ := filepath.Glob(filepath.Join(o.root, folder, "*.go")); folder != "" && len(entries) == 0 {
			r["note"] = "unresolved"
			folder = ""
		}
	}
	if folder != "" {
		r["target"] = folder
	} else {
		r["external"] = written
	}
	o.print(r)
}

func (o *oracle) define(id *ast.Ident, prefix, kind, detail, scope string, start token.Pos) {
	at := o.at(id.Pos())
	if id.Name == "_" || at == "" || o.defined[at] {
		return
	}
	o.defined[at] = true
	qualified := id.Name
	if prefix != "" {
		qualified = prefix + "." + id.Name
	}
	o.print(row{"row": "def", "at": at, "name": id.Name, "qname": qualified, "kind": kind, "detail": detail,
		"scope": scope, "start": o.line(start)})
}

// Definitions that a question can be about: of the package, and the members of its types.
func (o *oracle) declaration(declaration ast.Decl) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || len(d.Recv.List) == 0 {
			o.define(d.Name, "", "function", "func", "module", d.Pos())
		} else {
			o.define(d.Name, receiverName(d.Recv.List[0].Type), "method", "method", "class", d.Pos())
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			start := spec.Pos()
			if !d.Lparen.IsValid() {
				start = d.Pos()
			}
			switch s := spec.(type) {
			case *ast.ValueSpec:
				for _, id := range s.Names {
					o.define(id, "", "variable", d.Tok.String(), "module", start)
				}
			case *ast.TypeSpec:
				o.typeSpec(s, start)
			}
		}
	}
}

func (o *oracle) typeSpec(s *ast.TypeSpec, start token.Pos) {
	switch t := s.Type.(type) {
	case *ast.StructType:
		o.define(s.Name, "", "class", "struct", "module", start)
		for _, field := range t.Fields.List {
			for _, id := range field.Names {
				o.define(id, s.Name.Name, "property", "field", "class", field.Pos())
			}
		}
	case *ast.InterfaceType:
		o.define(s.Name, "", "interface", "interface", "module", start)
		for _, method := range t.Methods.List {
			for _, id := range method.Names {
				o.define(id, s.Name.Name, "method", "method", "class", method.Pos())
			}
		}
	default:
		o.define(s.Name, "", "type", "type", "module", start)
	}
}

func receiverName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiverName(t.X)
	case *ast.ParenExpr:
		return receiverName(t.X)
	case *ast.IndexExpr:
		return receiverName(t.X)
	case *ast.IndexListExpr:
		return receiverName(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

func (o *oracle) identifier(id *ast.Ident, stack []ast.Node, function string, p *packages.Package) {
	at := o.at(id.Pos())
	if p == nil {
		if !o.defined[at] {
			o.print(row{"row": "use", "at": at, "name": id.Name})
		}
		return
	}
	if object, ok := p.TypesInfo.Defs[id]; ok {
		if object == nil { // x in "switch x := y.(type)"
			o.define(id, "", "variable", "local", "local", id.Pos())
		} else if _, ok := object.(*types.PkgName); !ok {
			o.local(id, object)
		}
	}
	object := p.TypesInfo.Uses[id]
	if object == nil {
		if _, ok := p.TypesInfo.Defs[id]; !ok {
			o.print(row{"row": "use", "at": at, "name": id.Name})
		}
		return
	}
	object = origin(object)
	r := row{"row": "use", "at": at, "name": id.Name, "kind": kindOf(object)}
	if to := o.at(object.Pos()); to != "" {
		r["to"] = to
	} else if object.Pkg() != nil {
		r["ext"] = object.Pkg().Path()
	} else {
		r["ext"] = "builtin"
	}
	if invalid(object) {
		delete(r, "to")
		delete(r, "ext")
	}
	if function != "" {
		r["in"] = function
		if called(id, stack) {
			r["call"] = true
		}
	}
	o.print(r)
	if field, ok := p.TypesInfo.Defs[id].(*types.Var); ok && field.Embedded() && r["to"] != nil {
		o.print(row{"row": "family", "a": at, "b": r["to"]})
	}
}

func (o *oracle) local(id *ast.Ident, object types.Object) {
	kind, scope := "variable", "local"
	switch object := object.(type) {
	case *types.TypeName:
		kind = "type"
		if _, ok := object.Type().Underlying().(*types.Struct); ok {
			kind = "class"
		} else if types.IsInterface(object.Type()) {
			kind = "interface"
		}
	case *types.Func:
		kind = "method"
	case *types.Var:
		if object.IsField() {
			kind = "property"
		}
	}
	o.define(id, "", kind, kindOf(object), scope, id.Pos())
}

// Names whose type is an error mean what the compiler could not know.
func invalid(object types.Object) bool {
	v, ok := object.(*types.TypeName)
	return ok && v.Type() == types.Typ[types.Invalid]
}

func origin(object types.Object) types.Object {
	switch object := object.(type) {
	case *types.Func:
		return object.Origin()
	case *types.Var:
		return object.Origin()
	}
	return object
}

func kindOf(object types.Object) string {
	switch object := object.(type) {
	case *types.PkgName:
		return "package"
	case *types.Const:
		return "const"
	case *types.TypeName:
		return "type"
	case *types.Label:
		return "label"
	case *types.Func:
		return "func"
	case *types.Var:
		if object.IsField() {
			return "field"
		}
		return "var"
	}
	return "builtin"
}

// True if the name is what a call calls: f(), x.f(), f[T](), (f)().
func called(id *ast.Ident, stack []ast.Node) bool {
	var child ast.Node = id
	for i := len(stack) - 1; i >= 0; i-- {
		switch n := stack[i].(type) {
		case *ast.CallExpr:
			return n.Fun == child
		case *ast.SelectorExpr:
			if n.Sel != child {
				return false
			}
		case *ast.ParenExpr:
		case *ast.IndexExpr:
			if n.X != child {
				return false
			}
		case *ast.IndexListExpr:
			if n.X != child {
				return false
			}
		default:
			return false
		}
		child = stack[i]
	}
	return false
}
