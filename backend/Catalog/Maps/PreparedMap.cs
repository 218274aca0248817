using NzbDav.Catalog.Blobs;

namespace NzbDav.Catalog.Maps;

/// <summary>An extent map ready to be referred to: a small one is stored by the referring transaction, any other is already in the blob store.</summary>
/// <param name="Hash">Its address.</param>
/// <param name="Content">What becomes its row; empty: it is a blob.</param>
public readonly record struct PreparedMap(BlobHash Hash, ReadOnlyMemory<byte> Content)
{
    /// <summary>True if there must be a blob of this address before something refers to it.</summary>
    public bool IsBlob => Content.IsEmpty;

    /// <summary>One that is in the blob store.</summary>
    public static implicit operator PreparedMap(BlobHash blob) => new(blob, default);

    /// <inheritdoc/>
    public override string ToString() => Hash.ToString();
}
