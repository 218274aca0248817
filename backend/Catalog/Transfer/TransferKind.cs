namespace NzbDav.Catalog.Transfer;

/// <summary>What a column holds.</summary>
internal enum TransferKind
{
    /// <summary>64-bit numbers.</summary>
    Number,

    /// <summary>Floating-point numbers.</summary>
    Fraction,

    /// <summary>Texts.</summary>
    Text,

    /// <summary>Bytes.</summary>
    Bytes,
}
