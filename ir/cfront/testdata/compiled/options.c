/* getopt: options together and apart, with arguments, unknown ones, and plain
   arguments in between, which move. */
#include <assert.h>
#include <string.h>
#include <unistd.h>

static int is(const char *s, const char *t) { return strcmp(s, t) == 0; }

static void moved(void)
{
	char *argv[] = {"x", "p", "-ab", "q", "-o", "v", "-z", "--", "r", 0};
	assert(getopt(9, argv, "abo:") == 'a' && optind == 2 && !optopt);
	assert(getopt(9, argv, "abo:") == 'b' && optind == 3 && !optarg);
	assert(getopt(9, argv, "abo:") == 'o' && is(optarg, "v") && optind == 6);
	assert(is(argv[1], "-ab") && is(argv[2], "p"));
	assert(getopt(9, argv, "abo:") == '?' && optopt == 'z');
	assert(getopt(9, argv, "abo:") == -1 && optind == 6);
	assert(is(argv[4], "-z") && is(argv[5], "--") && is(argv[6], "p") && is(argv[7], "q") && is(argv[8], "r"));
}

static void missing(void)
{
	char *argv[] = {"x", "-a", "-o", 0};
	optind = 0;
	assert(getopt(3, argv, ":ao:") == 'a');
	assert(getopt(3, argv, ":ao:") == ':' && optopt == 'o' && optind == 3);
	assert(getopt(3, argv, ":ao:") == -1);
}

static void in_order(void)
{
	char *argv[] = {"x", "-n5", "p", "-n", 0};
	optind = 0;
	assert(getopt(4, argv, "+n::") == 'n' && is(optarg, "5"));
	assert(getopt(4, argv, "+n::") == -1 && optind == 2);
	optind = 0;
	assert(getopt(4, argv, "-n::") == 'n');
	assert(getopt(4, argv, "-n::") == 1 && is(optarg, "p"));
	assert(getopt(4, argv, "-n::") == 'n' && !optarg && optind == 4);
	assert(getopt(4, argv, "-n::") == -1);
}

int main(void)
{
	opterr = 0;
	moved();
	missing();
	in_order();
	return 0;
}
