#include <assert.h>
#include <string.h>
#include <stdlib.h>
#include <stdint.h>
#include <stddef.h>
union number { float f; uint32_t u; unsigned char c[4]; };
struct record { char tag; double d; float f[2]; };
static float half(float x) { union number n = { x }; n.u -= 1u << 23; return n.f; }
static uint64_t bits(double d) { uint64_t u; memcpy(&u, &d, sizeof u); return u; }
int main(void)
{
	union number n;
	n.f = 1;
	assert(n.u == 0x3f800000u && n.c[3] == 0x3f);
	n.u = 0xc0490fdb;
	assert(n.f < -3.14f && n.f > -3.15f);
	n.f += 1.5;
	assert(n.f > -1.65f && n.f < -1.64f);
	assert(half(3) == 1.5f);
	assert(bits(-2.5) == 0xc004000000000000ul);
	double d = 1e10;
	unsigned char *p = (unsigned char *)&d;
	assert(p[7] == 0x42 && p[0] == 0);
	p[7] |= 0x80;
	assert(d == -1e10);
	struct record r = { 'a', 2, { 3, 4 } }, *q = malloc(sizeof *q);
	memcpy(q, &r, sizeof r);
	assert(q->d == 2 && q->f[1] == 4 && q->tag == 'a');
	q->f[0] = q->d;
	q->d = 7;
	r = *q;
	assert(r.f[0] == 2 && r.d == 7);
	float *f = (float *)((char *)&r + offsetof(struct record, f));
	f[1] = -0.0f;
	assert(r.f[1] == 0 && *(uint32_t *)&f[1] == 0x80000000u);
	free(q);
	return 0;
}
