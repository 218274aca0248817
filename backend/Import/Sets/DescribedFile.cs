namespace NzbDav.Import.Sets;

/// <summary>A file as recovery data describe it.</summary>
/// <param name="Name">Name, which may have folders; not made safe.</param>
/// <param name="Length">Length in bytes.</param>
/// <param name="HeadHash">MD5 of its first 16 KiB.</param>
internal sealed record DescribedFile(string Name, long Length, ReadOnlyMemory<byte> HeadHash);
