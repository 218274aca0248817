namespace NzbDav.Catalog.Transfer;

/// <summary>The rows of a table.</summary>
/// <param name="Rows">How many.</param>
/// <param name="Hash">SHA-256 over them, in the order of their key.</param>
internal readonly record struct TransferDigest(long Rows, string Hash);
