/* getopt as glibc has it, without the variable POSIXLY_CORRECT: arguments that are no
   options go to the end of argv. Nothing is printed. */

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

static char *options;           /* what is left of the argument looked at */
static int plain_from, plain_to; /* the arguments passed over that are no options */
static int unknown;              /* the last option that was wrong, 0 at first */

static int is_plain(const char *s) { return s[0] != '-' || !s[1]; }

static int ends_options(const char *s) { return s[0] == '-' && s[1] == '-' && !s[2]; }

/* The options behind the plain arguments change places with them. */
static void exchange(char **argv)
{
	for (int i = plain_to; i < optind; i++) {
		char *s = argv[i];
		for (int j = i; j > plain_from + (i - plain_to); j--)
			argv[j] = argv[j - 1];
		argv[plain_from + (i - plain_to)] = s;
	}
	plain_from += optind - plain_to;
	plain_to = optind;
}

static void pass_plain(int argc, char **argv, int in_order)
{
	if (plain_to > optind)
		plain_to = optind;
	if (plain_from > optind)
		plain_from = optind;
	if (!in_order) {
		if (plain_from != plain_to && plain_to != optind)
			exchange(argv);
		else if (plain_to != optind)
			plain_from = optind;
		while (optind < argc && is_plain(argv[optind]))
			optind++;
		plain_to = optind;
	}
	if (optind != argc && ends_options(argv[optind])) {
		optind++;
		if (plain_from != plain_to && plain_to != optind)
			exchange(argv);
		else if (plain_from == plain_to)
			plain_from = optind;
		plain_to = argc;
		optind = argc;
	}
}

static int argument(int argc, char **argv, const char *kind, int option, int missing)
{
	if (kind[1] != ':') {
		if (!*options)
			optind++;
		return option;
	}
	optarg = 0;
	if (*options) {
		optarg = options;
		optind++;
	} else if (kind[2] == ':') {
		optind++;
	} else if (++optind >= argc) {
		unknown = option;
		option = missing;
	} else {
		optarg = argv[optind++];
	}
	options = 0;
	return option;
}

static int next_option(int argc, char **argv, const char *known)
{
	const char *o = known, *kind;
	int in_order = *known == '+', as_values = *known == '-', missing;
	if (argc < 1)
		return -1;
	optarg = 0;
	if (optind == 0) {
		optind = 1;
		options = 0;
		plain_from = plain_to = 1;
	}
	if (!plain_to)
		plain_from = plain_to = optind;
	if (in_order || as_values)
		o++;
	missing = *o == ':' ? ':' : '?';
	if (!options || !*options) {
		pass_plain(argc, argv, in_order || as_values);
		if (optind == argc) {
			if (plain_from != plain_to)
				optind = plain_from;
			return -1;
		}
		if (is_plain(argv[optind])) {
			if (in_order)
				return -1;
			optarg = argv[optind++];
			return 1;
		}
		options = argv[optind] + 1;
	}
	int option = *options++;
	for (kind = o; *kind && *kind != option; kind++)
		;
	if (!*kind || option == ':' || option == ';') {
		if (!*options)
			optind++;
		unknown = option;
		return '?';
	}
	return argument(argc, argv, kind, option, missing);
}

int getopt(int argc, char **argv, const char *known)
{
	int r = next_option(argc, argv, known);
	optopt = unknown;
	return r;
}
