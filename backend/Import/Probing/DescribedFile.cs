using NzbDav.Archives.Recovery;

namespace NzbDav.Import.Probing;

/// <summary>A file as recovery data describe it.</summary>
/// <param name="Name">Name, which may have folders; not made safe.</param>
/// <param name="Length">Length in bytes.</param>
/// <param name="HeadHash">MD5 of its first 16 KiB.</param>
/// <param name="Hash">MD5 of all of it.</param>
internal sealed record DescribedFile(string Name, long Length, ReadOnlyMemory<byte> HeadHash, ReadOnlyMemory<byte> Hash)
{
    /// <summary>Description of a file in recovery data.</summary>
    public static DescribedFile Of(Par2File file) => new(file.Name, file.Length, file.HeadHash, file.Hash);
}
