{-# LANGUAGE GADTs #-}
-- | A module.
module Data.Acme (User(..), greet, module X) where

import qualified Data.Map as M
import Data.List (sort, nub)

-- | Max.
maxCount :: Int
maxCount = 10

-- | A user.
data User a = User { name :: String, age, size :: Int } | Guest Int | a :+: a deriving (Show, Eq)
newtype Wrap a = Wrap { unWrap :: a }
type Alias = Int
type family F a where
  F Int = Bool
class Show a => Named a where
  type Elem a
  nameOf :: a -> String
  nameOf _ = "x"
  other, third :: a
instance Named (User a) where
  nameOf (User n _ _) = n
data Gadt a where
  MkInt :: Int -> Gadt Int

-- | Greets.
greet :: User a -> Int -> String
greet Guest{} 0 = "none"
greet u n
  | n > 1 = helper u
  | otherwise = go n
  where
    go 0 = ""
    go k = go (k - 1)
-- not_one x = 1
text = "nor_this x = 1"
helper u = let x = 1 in M.lookup x (name u) $ \y -> y
(<+>) :: Int -> Int -> Int
a <+> b = a + b
infixl 6 <+>
(a, b) = (1, 2)
pattern P x = Just x
foreign import ccall "sin" c_sin :: Double -> Double
main = do
  r <- greet u 1
  let q = 2
  print r
deriving instance Show X
