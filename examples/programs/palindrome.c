/* Is it the same word from behind? The test compares letters from both ends
   and stops too early: to it, "toot" and "trot" are both palindromes.

   amend repair -hard main palindrome.c */

#include <assert.h>

int palindrome(const char word[], int n)
{
	int i = 0, j = n - 1;
	while (i < j - 1) {
		if (word[i] != word[j])
			return 0;
		i++;
		j--;
	}
	return 1;
}

int main(char a, char b, char c)
{
	char word[4];
	word[0] = a;
	word[1] = b;
	word[2] = c;
	word[3] = a;
	assert(palindrome(word, 4) == (b == c));
	return 0;
}
