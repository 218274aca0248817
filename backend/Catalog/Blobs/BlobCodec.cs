namespace NzbDav.Catalog.Blobs;

/// <summary>How the content of a blob file is compressed: the codec byte of its header.</summary>
internal enum BlobCodec : byte
{
    /// <summary>By the system's libzstd; the frame carries a checksum, so every read is verified.</summary>
    Zstandard = 1,

    /// <summary>Used where libzstd is missing.</summary>
    Brotli = 2,
}
