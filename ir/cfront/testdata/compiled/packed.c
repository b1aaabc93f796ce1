// Packed types: their bytes, arrays of them, initializers, bit-fields, copies.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PACKED __attribute__((__packed__))

struct PACKED header {
	uint8_t kind;
	uint32_t length;
	uint16_t port[2];
};

typedef struct {
	struct header h;
	uint64_t tail;
} PACKED message;

#pragma pack(push, 2)
struct two {
	char c;
	int i;
	struct { char d; long l; } inner;
};
#pragma pack(pop)

struct natural {
	char c;
	message m;
	int i;
};

struct PACKED bits {
	unsigned a : 3;
	unsigned b : 30;
	uint8_t c;
	unsigned d : 5;
};

static struct header first = {1, 2, {3, 4}};

static unsigned sum(const void *data, size_t n)
{
	const unsigned char *p = data;
	unsigned s = 0;
	while (n--)
		s = s * 3 + *p++;
	return s;
}

int main(void)
{
	assert(sizeof(struct header) == 9 && sizeof(message) == 17 && offsetof(message, tail) == 9);
	assert(sizeof(struct two) == 16 && offsetof(struct two, inner) == 6 && _Alignof(struct two) == 2);
	assert(sizeof(struct natural) == 24 && offsetof(struct natural, m) == 1 && offsetof(struct natural, i) == 20);
	assert(sizeof(struct bits) == 7);

	message m;
	memset(&m, 0, sizeof m);
	m.h = first;
	m.tail = 0x1122334455667788;
	unsigned char raw[sizeof(uint8_t) * 17], *p = (unsigned char *)&m;
	memcpy(raw, &m, sizeof m);
	assert(raw[0] == 1 && raw[1] == 2 && raw[5] == 3 && raw[7] == 4 && raw[9] == 0x88 && raw[16] == 0x11);
	p[3] = 1;
	assert(m.h.length == 0x10002);
	assert(sum(raw, 9) == ((((((((1 * 3 + 2) * 3) * 3) * 3) * 3 + 3) * 3) * 3 + 4) * 3));

	message copies[2] = {{{5, 6, {7}}, 8}, m}, *q = copies;
	q++;
	assert((char *)q - (char *)copies == 17 && q->h.length == 0x10002);
	assert(sum(copies, 9) == sum(&(struct header){5, 6, {7, 0}}, 9));

	struct bits b = {5, 0x3abcdef, 6, 9}, c;
	memcpy(&c, &b, sizeof b);
	assert(c.a == 5 && c.b == 0x3abcdef && c.c == 6 && c.d == 9);
	unsigned char *s = (unsigned char *)&b;
	assert(s[0] == (5 | (0xf & 0x1f) << 3 | (0xef << 3 & 0xff)) && s[5] == 6 && (s[6] & 31) == 9);

	struct header *h = malloc(2 * sizeof *h);
	h[1].port[1] = 77;
	assert(((unsigned char *)h)[16] == 77);
	free(h);

	struct natural n = {1, m, 2};
	message *z = (message *)((char *)&n + offsetof(struct natural, m));
	assert(z->tail == m.tail);
	return 0;
}
