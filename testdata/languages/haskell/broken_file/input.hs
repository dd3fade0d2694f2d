module A where

before x = x

damaged x = case x of
  (1 ->

after y = before (
