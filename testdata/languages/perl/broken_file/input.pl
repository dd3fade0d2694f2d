package Shop::Broken;
sub first { my $x = (1, 2; return $x }
our $Kept = ;
sub second {
  if ($a { $b->run( }
sub third { 1 }
use constant LIMIT => ;
sub { sub fourth { 4 }
