package main

import (
	"go/types"
)

// Which methods of the repository satisfy which methods of its interfaces.
func (o *oracle) families() {
	type set struct {
		named   *types.Named
		methods map[string]types.Object
	}
	byName := map[string][]set{}
	for _, named := range o.classes {
		s := set{named, map[string]types.Object{}}
		var t types.Type = types.NewPointer(named)
		if types.IsInterface(named) {
			t = named
		}
		methods := types.NewMethodSet(t)
		for i := range methods.Len() {
			s.methods[methods.At(i).Obj().Name()] = origin(methods.At(i).Obj())
		}
		for name := range s.methods {
			byName[name] = append(byName[name], s)
		}
	}
	printed := map[string]bool{}
	for _, face := range o.faces {
		if face.NumMethods() == 0 {
			continue
		}
		ours := false
		rarest := face.Method(0).Name()
		for i := range face.NumMethods() {
			name := face.Method(i).Name()
			ours = ours || o.at(face.Method(i).Pos()) != ""
			if len(byName[name]) < len(byName[rarest]) {
				rarest = name
			}
		}
		if !ours {
			continue
		}
		for _, s := range byName[rarest] {
			if !satisfies(s.named, s.methods, face) {
				continue
			}
			for i := range face.NumMethods() {
				a, b := o.at(s.methods[face.Method(i).Name()].Pos()), o.at(origin(face.Method(i)).Pos())
				if a != "" && b != "" && a != b && !printed[a+" "+b] {
					printed[a+" "+b] = true
					o.print(row{"row": "family", "a": a, "b": b})
				}
			}
		}
	}
}

// What has type parameters is compared by the names of methods and the number of their parameters.
func satisfies(named *types.Named, methods map[string]types.Object, face *types.Interface) bool {
	generic := named.TypeParams().Len() > 0
	for i := range face.NumMethods() {
		want := face.Method(i)
		have, ok := methods[want.Name()].(*types.Func)
		if !ok || have.Signature().Params().Len() != want.Signature().Params().Len() {
			return false
		}
		generic = generic || hasTypeParameter(want.Signature())
	}
	return generic || types.Implements(types.NewPointer(named), face) || types.Implements(named, face)
}

func hasTypeParameter(signature *types.Signature) bool {
	for _, tuple := range []*types.Tuple{signature.Params(), signature.Results()} {
		for i := range tuple.Len() {
			if containsTypeParameter(tuple.At(i).Type(), 0) {
				return true
			}
		}
	}
	return false
}

func containsTypeParameter(t types.Type, depth int) bool {
	if depth > 8 {
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Pointer:
		return containsTypeParameter(t.Elem(), depth+1)
	case *types.Slice:
		return containsTypeParameter(t.Elem(), depth+1)
	case *types.Array:
		return containsTypeParameter(t.Elem(), depth+1)
	case *types.Chan:
		return containsTypeParameter(t.Elem(), depth+1)
	case *types.Map:
		return containsTypeParameter(t.Key(), depth+1) || containsTypeParameter(t.Elem(), depth+1)
	case *types.Signature:
		return hasTypeParameter(t)
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if containsTypeParameter(t.TypeArgs().At(i), depth+1) {
				return true
			}
		}
	}
	return false
}
