// Sums of precomputed blocks, as plainly as C can say it: per test, per replicate, per block.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void plain(const double *sums, const uint32_t *draws, double *out, int tests, int starts,
                  int replicates, int blocks) {
  for (int t = 0; t < tests; t++)
    for (int r = 0; r < replicates; r++) {
      double sum = 0;
      for (int k = 0; k < blocks; k++) sum += sums[(size_t)t * starts + draws[r * blocks + k]];
      out[(size_t)t * replicates + r] = sum / (blocks * 24);
    }
}

int main(int argc, char **argv) {
  int origins = atoi(argv[1]), tests = atoi(argv[2]), replicates = atoi(argv[3]);
  int starts = origins - 24 + 1, blocks = origins / 24;
  double *sums = malloc(sizeof(double) * tests * starts);
  double *out = malloc(sizeof(double) * tests * replicates);
  uint32_t *draws = malloc(sizeof(uint32_t) * replicates * blocks);
  for (size_t i = 0; i < (size_t)tests * starts; i++) sums[i] = rand() / (double)RAND_MAX - 0.5;
  for (size_t i = 0; i < (size_t)replicates * blocks; i++) draws[i] = rand() % starts;
  double best = 1e9;
  for (int repeat = 0; repeat < 5; repeat++) {
    double began = now();
    plain(sums, draws, out, tests, starts, replicates, blocks);
    double took = now() - began;
    if (took < best) best = took;
  }
  printf("%.6f %g\n", best, out[argc]);
  return 0;
}
