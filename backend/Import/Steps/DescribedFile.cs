namespace NzbDav.Import;

/// <summary>What recovery data say of a file.</summary>
/// <param name="Name">With folders; not made safe.</param>
/// <param name="Length">Bytes.</param>
/// <param name="HeadHash">MD5 of its first 16 KiB.</param>
internal sealed record DescribedFile(string Name, long Length, ReadOnlyMemory<byte> HeadHash);
