// Read the values at given places of a table.
KERNEL read(const u8* table, const u64* places, u32 count, u8* values) {
    for (u64 i = first_thread(); i < count; i += all_threads())
        values[i] = table[places[i] >> 1] >> 4 * (places[i] & 1) & 15;
}
