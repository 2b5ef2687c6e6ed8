// What all kernels share: short names, and the stand-in for a GPU.
//
// Compiled for a GPU, a warp has 32 lanes. Compiled as plain C++ it has one, blocks have one thread,
// and every kernel is an ordinary function: the tests run the very same code without a GPU. So
// kernels stride over their work by the size of the grid, and never assume 32 lanes.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#ifdef __CUDACC__

#define LANES 32
#define DEVICE __device__ __forceinline__
#define KERNEL extern "C" __global__ void
#define SHARED __shared__
#define SHARED_MEMORY(name) extern __shared__ __align__(16) u32 name[]
#define THREADS_OF_A_BLOCK(most, blocks) __launch_bounds__(most, blocks)

DEVICE u32 vote(bool yes) { return __ballot_sync(~0u, yes); }
DEVICE u32 from_first(u32 value) { return __shfl_sync(~0u, value, 0); }
DEVICE u32 from_lane(u32 value, u32 lane) { return __shfl_sync(~0u, value, lane); }
DEVICE void meet_warp() { __syncwarp(); }
DEVICE void meet_block() { __syncthreads(); }
DEVICE u32 ones(u32 bits) { return __popc(bits); }
DEVICE u32 lowest(u32 bits) { return __ffs(bits) - 1; }
DEVICE u32 now(const u32* word) { return *(const volatile u32*)word; }

// Tables are read at random positions: what is read once should not fill the L1 cache.
DEVICE u32 far_byte(const u8* place) {
    u16 value;
    asm volatile("ld.global.nc.L1::no_allocate.u8 %0, [%1];" : "=h"(value) : "l"(place));
    return value;
}

#else

#define LANES 1
#define DEVICE static inline
#define KERNEL extern "C" void
#define SHARED static
#define SHARED_MEMORY(name) static u32 name[1 << 16]
#define THREADS_OF_A_BLOCK(most, blocks)

struct Extent {
    u32 x;
};
static Extent threadIdx = {0}, blockIdx = {0}, blockDim = {1}, gridDim = {1};
extern "C" void stand_at(u32 block, u32 blocks) {
    blockIdx.x = block;
    gridDim.x = blocks;
}

DEVICE u32 vote(bool yes) { return yes; }
DEVICE u32 from_first(u32 value) { return value; }
DEVICE u32 from_lane(u32 value, u32 lane) { return value; }
DEVICE void meet_warp() {}
DEVICE void meet_block() {}
DEVICE u32 ones(u32 bits) { return __builtin_popcount(bits); }
DEVICE u32 lowest(u32 bits) { return __builtin_ctz(bits); }
DEVICE u32 now(const u32* word) { return *word; }
DEVICE u32 far_byte(const u8* place) { return *place; }
DEVICE u32 atomicAdd(u32* word, u32 more) { u32 old = *word; *word += more; return old; }
DEVICE u64 atomicAdd(u64* word, u64 more) { u64 old = *word; *word += more; return old; }
DEVICE u32 atomicOr(u32* word, u32 bits) { u32 old = *word; *word |= bits; return old; }
DEVICE u32 atomicMin(u32* word, u32 other) { u32 old = *word; *word = old < other ? old : other; return old; }
DEVICE u64 atomicMin(u64* word, u64 other) { u64 old = *word; *word = old < other ? old : other; return old; }
DEVICE u64 atomicMax(u64* word, u64 other) { u64 old = *word; *word = old > other ? old : other; return old; }
DEVICE u32 atomicCAS(u32* word, u32 known, u32 next) { u32 old = *word; *word = old == known ? next : old; return old; }
DEVICE u32 atomicExch(u32* word, u32 next) { u32 old = *word; *word = next; return old; }

#endif

#define FULL ((u32)((1ull << CELLS) - 1))

// The threads of the whole grid, for loops that stride over independent work.
DEVICE u64 first_thread() { return (u64)blockIdx.x * blockDim.x + threadIdx.x; }
DEVICE u64 all_threads() { return (u64)gridDim.x * blockDim.x; }

DEVICE u32 less(u32 a, u32 b) { return a < b ? a : b; }
DEVICE u32 below(u32 bit) { return (1u << bit) - 1; }
