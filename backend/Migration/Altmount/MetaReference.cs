namespace NzbDav.Migration.Altmount;

/// <summary>Articles of a store, one after the other, and what of them is the file's.</summary>
/// <param name="Index">Of the first, counted over all files of the store.</param>
/// <param name="Count">How many.</param>
/// <param name="Start">First byte of each.</param>
/// <param name="Last">Last byte of each, inclusive; negative: to its end.</param>
/// <param name="Size">Decoded bytes of each; 0: as the store says.</param>
internal readonly record struct MetaReference(long Index, long Count, long Start, long Last, long Size);
