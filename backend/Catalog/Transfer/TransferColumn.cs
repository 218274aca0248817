namespace NzbDav.Catalog.Transfer;

/// <summary>A column of a <see cref="TransferTable"/>.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Kind">What it holds.</param>
internal readonly record struct TransferColumn(string Name, TransferKind Kind);
