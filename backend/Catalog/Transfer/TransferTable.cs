namespace NzbDav.Catalog.Transfer;

/// <summary>A table of the catalog, as both engines have it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Columns">Its columns.</param>
/// <param name="Key">The columns of its primary key, by which rows are read in the same order everywhere.</param>
internal sealed record TransferTable(string Name, IReadOnlyList<TransferColumn> Columns, IReadOnlyList<string> Key)
{
    /// <summary>The names of the columns, for a statement.</summary>
    public string List => string.Join(", ", Columns.Select(static column => $"\"{column.Name}\""));

    /// <summary>Reads all rows in the order of the key. Texts compare byte by byte in both engines.</summary>
    public string Select => $"SELECT {List} FROM \"{Name}\" ORDER BY {string.Join(", ", Key.Select(static name => $"\"{name}\""))}";
}

/// <summary>A column of a <see cref="TransferTable"/>.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Kind">What it holds.</param>
internal readonly record struct TransferColumn(string Name, TransferKind Kind);

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
