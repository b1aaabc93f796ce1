/* Rock, paper, scissors. The referee numbers the hands so that each beats the
   one before it, and works out who won by arithmetic. Mostly he is wrong.

   amend repair -size 2 -hard 'main|beats' rps.c */

#include <assert.h>

enum { ROCK, PAPER, SCISSORS };
enum { DRAW, WIN, LOSE };

int referee(int mine, int yours)
{
	int ahead = (mine - yours + 2) % 3;
	if (ahead == 1)
		return WIN;
	if (ahead == 2)
		return LOSE;
	return DRAW;
}

/* The rules of the game, for those who don't trust arithmetic. */
int beats(int one, int other)
{
	return one == ROCK && other == SCISSORS
		|| one == PAPER && other == ROCK
		|| one == SCISSORS && other == PAPER;
}

int main(int mine, int yours)
{
	assume(ROCK <= mine && mine <= SCISSORS);
	assume(ROCK <= yours && yours <= SCISSORS);

	int verdict = referee(mine, yours);
	assert((verdict == WIN) == beats(mine, yours));
	assert((verdict == LOSE) == beats(yours, mine));
	return 0;
}
