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

    /// <summary>Null for directories and empty files.</summary>
    public SevenZipFolder? Folder { get; set; }

    /// <summary>Offset in what the folder gives.</summary>
    public long Start { get; set; }
}
