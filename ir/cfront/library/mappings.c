/* Mapped memory, which mmap makes as calloc does, or, of a file, malloc: what is
   written reaches no file. A run that unmaps a part of a mapping is cut. */

int munmap(void *p, size_t n)
{
	if (n != __CPROVER_OBJECT_SIZE(p))
		__cut();
	free(p);
	return 0;
}

int mprotect(void *p, size_t n, int protection)
{
	__forget_errno();
	return nondet_result() ? -1 : 0;
}
int msync(void *p, size_t n, int flags)
{
	__forget_errno();
	return nondet_result() ? -1 : 0;
}
