#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Variables of recursive functions, of which each run has its own. */

struct node { int key; struct node *left, *right; };
struct path { int key; const struct path *up; };

static int deepest(struct node *n, int *at) {
  int left = 0, right = 0, l, r;
  if (!n)
    return 0;
  l = deepest(n->left, &left);
  r = deepest(n->right, &right);
  *at = l == 0 && r == 0 ? n->key : l >= r ? left : right;
  return 1 + (l > r ? l : r);
}

static int onPath(struct node *n, const struct path *up, int key, int *sum) {
  struct path here = {n ? n->key : 0, up};
  const struct path *p;
  if (!n)
    return 0;
  if (n->key == key) {
    for (p = &here; p; p = p->up)
      *sum += p->key;
    return 1;
  }
  return onPath(n->left, &here, key, sum) || onPath(n->right, &here, key, sum);
}

static void permute(int *a, int k, int n, int *count) {
  int copy[3], i, t;
  if (k == n) {
    *count += a[0] * 100 + a[1] * 10 + a[2];
    return;
  }
  for (i = k; i < n; i++) {
    memcpy(copy, a, sizeof copy);
    t = copy[k], copy[k] = copy[i], copy[i] = t;
    permute(copy, k + 1, n, count);
  }
}

static void merge(int *a, int n) {
  int b[4], i = 0, j = n / 2, k;
  if (n < 2)
    return;
  merge(a, n / 2);
  merge(a + n / 2, n - n / 2);
  for (k = 0; k < n; k++)
    b[k] = j >= n || (i < n / 2 && a[i] <= a[j]) ? a[i++] : a[j++];
  for (k = 0; k < n; k++)
    a[k] = b[k];
}

static int ackermann(int m, int n, int *steps) {
  int here = 1, v;
  if (m == 0)
    v = n + 1;
  else if (n == 0)
    v = ackermann(m - 1, 1, &here);
  else
    v = ackermann(m - 1, ackermann(m, n - 1, &here), &here);
  *steps += here;
  return v;
}

int main(void) {
  struct node d = {4, 0, 0}, c = {3, 0, 0}, b = {2, 0, &d}, a = {1, &b, &c};
  int at = 0, sum = 0, count = 0, steps = 0, i, list[4] = {4, 1, 3, 2}, three[3] = {1, 2, 3};
  assert(deepest(&a, &at) == 3 && at == 4);
  assert(onPath(&a, 0, 4, &sum) && sum == 7);
  permute(three, 0, 3, &count);
  assert(count == 1332);
  merge(list, 4);
  for (i = 0; i < 4; i++)
    assert(list[i] == i + 1);
  assert(ackermann(1, 2, &steps) == 4 && steps == 6);
  return 0;
}
