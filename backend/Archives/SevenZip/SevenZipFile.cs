namespace NzbDav.Archives.SevenZip;

/// <summary>A file or directory of a 7z archive.</summary>
internal sealed class SevenZipFile
{
    public string Path { get; set; } = string.Empty;

    public bool IsDirectory { get; set; }

    public bool IsAnti { get; set; }

    public DateTimeOffset? Modified { get; set; }

    public long Size { get; set; }

    public uint? Crc32 { get; set; }

    /// <summary>The folder that contains its bytes; null for directories and empty files.</summary>
    public SevenZipFolder? Folder { get; set; }

    /// <summary>Offset in the folder's unpacked bytes.</summary>
    public long Start { get; set; }
}
