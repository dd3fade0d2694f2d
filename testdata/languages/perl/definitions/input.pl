#!/usr/bin/perl
package Shop::Cart;
use strict;
use parent 'Shop::Base';
use Shop::Item qw(price total);
use constant DEBUG => 0;
use constant { MAX_ITEMS => 10, MIN_ITEMS => f(1) };
use vars qw($Old @Older);
require Shop::Stock;
require "lib/util.pl";

our $VERSION = '1.0';
our (@ISA, %Cache);
my $lexical = 1;

has 'owner' => (is => 'ro');
has items => (is => 'rw', default => sub { [] });
has [qw(size colour)] => (is => 'ro');
has ['left', 'right'] => (is => 'ro');

=head1 NAME

sub not_code { }

=cut

# Makes a cart.
sub new {
  my ($class, %args) = @_;
  my $self = bless {%args}, $class;
  $self->add($_) for @{ $args{items} };
  Shop::Log::note("made $VERSION");
  return DEBUG ? undef : $self;
}

sub add($self, $item, $count = 1) {
  my $name = $item->name;
  $Cache{$name} = $Shop::Stock::Left{$name};
  push @{ $self->{items} }, $item if $item =~ m{^[a-z]+/};
  &count_again(1);
  return Shop::Item->new(name => $name);
}

sub _hidden { $lexical }
sub Shop::Other::elsewhere { 1 }
*alias = sub { 2 };
*Shop::Other::late = sub { 3 };

package Shop::Cart::Line {
  sub price { $_[0]{price} }
}

package Shop::Order;
extends 'Shop::Base';
sub new { my $text = <<"END"; $text }
sub not_code { }
END

1;
__END__
sub not_code { }
