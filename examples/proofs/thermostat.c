/* A thermostat that keeps a room between 18 and 22 degrees. It heats one step
   too far; and it cools one step too far, which no run of three minutes shows
   since the room is warm in the morning. */
#include <assert.h>

extern unsigned char nondet_uchar(void);
extern _Bool nondet_bool(void);

int main(void)
{
	unsigned char minutes = nondet_uchar();
	int room = 22, coldest = 22, warmest = 22;

	for (int i = 0; i < minutes; i++) {
		if (nondet_bool() && room <= 22)
			room++;
		else if (room > 17)
			room--;
		if (room > warmest)
			warmest = room;
		if (room < coldest)
			coldest = room;
	}
	assert(warmest <= 22);
	assert(coldest >= 18);
	return 0;
}
