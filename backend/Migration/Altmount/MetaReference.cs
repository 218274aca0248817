namespace NzbDav.Migration.Altmount;

/// <summary>Consecutive articles of a store, and the bytes of them that belong to the file.</summary>
/// <param name="Index">Index of the first, counted over all files of the store.</param>
/// <param name="Count">How many.</param>
/// <param name="Start">First byte of each.</param>
/// <param name="Last">Last byte of each, inclusive; negative: to its end.</param>
/// <param name="Size">Decoded bytes of each; 0: as the store says.</param>
internal readonly record struct MetaReference(long Index, long Count, long Start, long Last, long Size);
